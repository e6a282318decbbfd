import PostgreSQL
import Store

/// The request that a person means by a word. Digits match a request id first, then a transaction
/// id; what names several is listed, and only `show` goes on.
enum RequestNaming {
  enum Named {
    case one(Int64)
    /// Each as JSON.
    case several([String])
    case none(RequestRecord.Fate?)
  }

  static func find(
    _ word: String, on connection: inout Connection
  ) throws(PostgresError) -> Named {
    let ids = try RequestRecord.find(word, on: &connection)
    if let id = ids.first, ids.count == 1 { return .one(id) }
    guard !ids.isEmpty else { return .none(try fate(of: word, on: &connection)) }
    var texts: [String] = []
    for id in ids {
      if let text = try RequestRecord.json(id, on: &connection) { texts.append(text) }
    }
    return .several(texts)
  }

  /// Nil also for who may read requests and not look into the inbox.
  static func fate(
    of word: String, on connection: inout Connection
  ) throws(PostgresError) -> RequestRecord.Fate? {
    do throws(PostgresError) {
      return try RequestRecord.fate(of: word, on: &connection)
    } catch let error where error.sqlState == "42501" {
      return nil
    }
  }

  /// Lists those that a word names.
  ///
  /// - Returns: what to end with.
  static func list(
    _ texts: [String], _ word: String, _ output: inout Output
  ) throws(CommandFailure) -> CommandFailure {
    let pages = texts.compactMap { RequestPage($0) }
    try output.lines(RequestPage.list(pages, output.style, width: output.width))
    return CommandFailure(
      code: .data,
      message: "\(texts.count) requests match \(Printable.text(word)): say which by its id")
  }

  static func failure(_ id: String, _ fate: RequestRecord.Fate?) -> CommandFailure {
    let id = Printable.text(id)
    let message =
      switch fate {
      case nil: "\(id): no such request, notification or transaction"
      case .unread: "\(id): not read yet; a running daemon reads the inbox within seconds"
      case .rejected(let why): "\(id): rejected: \(Printable.text(why))"
      case .acknowledged(let type): "\(id): no request, a \(Printable.text(type)) notification"
      case .repeated: "\(id): no request, a notification that was known already"
      }
    return CommandFailure(code: .data, message: message)
  }
}
