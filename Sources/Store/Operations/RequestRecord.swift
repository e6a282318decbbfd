public import AppStore
public import PostgreSQL
internal import Schema

/// One request whole, for `consumptiond show`.
public enum RequestRecord {
  /// The ids that a person may mean: a request id, else a transaction id or a notification UUID.
  public static func find(
    _ text: String, on connection: inout Connection
  ) throws(PostgresError) -> [Int64] {
    let number = text.count <= 18 ? Int64(text) : nil
    let rows = try connection.query(
      SQL.requestFind, [.text(text.lowercased()), .int(number)])
    var found: [Int64] = []
    for row in rows { found.append(try row.int64("id")) }
    return found
  }

  /// The view's columns and `tries`, the attempts, as JSON with instants in UTC.
  public static func json(
    _ id: Int64, on connection: inout Connection
  ) throws(PostgresError) -> String? {
    try connection.transaction { connection throws(PostgresError) in
      _ = try connection.query("SELECT set_config('TimeZone', 'UTC', true)")
      return try connection.query(SQL.requestShow, [.int(id)]).first?.string("request")
    }
  }

  /// The database's clock, by which a deadline is judged.
  public static func now(on connection: inout Connection) throws(PostgresError) -> Instant {
    let rows = try connection.query(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now")
    guard let row = rows.first else { throw PostgresError.missingRow("now") }
    return try row.instant("now")
  }

  /// What became of a payload that is no request.
  public enum Fate: Sendable, Equatable {
    case unread
    /// The reason, and the detail behind it.
    case rejected(String)
    /// A notification of a type that opens no request.
    case acknowledged(type: String)
    /// The notification was known already.
    case repeated
  }

  /// - Returns: nil when `consumptiond.enqueue` never gave out that id.
  public static func fate(
    of text: String, on connection: inout Connection
  ) throws(PostgresError) -> Fate? {
    guard text.count <= 18, let id = Int64(text),
      let row = try connection.query(SQL.requestFate, [.int(id)]).first
    else { return nil }
    let detail = try row.string("detail")
    switch try row.string("fate") {
    case "rejected": return .rejected(detail)
    case "unread": return .unread
    case "acknowledged": return .acknowledged(type: detail)
    default: return .repeated
    }
  }
}
