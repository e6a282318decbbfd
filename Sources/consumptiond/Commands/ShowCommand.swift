import AppStore
import PostgreSQL
import Store

/// `consumptiond show ID [--json]`
struct ShowCommand {
  let config: String?
  let id: String
  let json: Bool

  private enum Found {
    /// Each as JSON, and the database's clock.
    case requests([String], now: Instant)
    case none(RequestRecord.Fate?)
  }

  /// What is ambiguous is listed, and then each is shown.
  func run(_ output: inout Output) throws(CommandFailure) {
    let found = try Connecting.use(try Connecting.database(config: config), as: .show) {
      connection throws(PostgresError) in try find(&connection)
    }
    switch found {
    case .none(let fate): throw RequestNaming.failure(id, fate)
    case .requests(let texts, let now):
      let pages = texts.compactMap { RequestPage($0) }
      if json || pages.count < texts.count {
        return try output.lines(texts.map { Printable.json($0) })
      }
      try show(pages, now, &output)
    }
  }

  private func show(
    _ pages: [RequestPage], _ now: Instant, _ output: inout Output
  ) throws(CommandFailure) {
    if pages.count > 1 {
      try output.line("\(pages.count) requests match \(Printable.text(id)):")
      try output.lines(RequestPage.list(pages, output.style, width: output.width))
      try output.line("")
    }
    for (index, page) in pages.enumerated() {
      if index > 0 { try output.line("") }
      try output.lines(page.lines(output.style, width: output.width, now: now))
    }
  }

  private func find(_ connection: inout Connection) throws(PostgresError) -> Found {
    var texts: [String] = []
    for id in try RequestRecord.find(id, on: &connection) {
      if let text = try RequestRecord.json(id, on: &connection) { texts.append(text) }
    }
    if !texts.isEmpty { return .requests(texts, now: try RequestRecord.now(on: &connection)) }
    return .none(try RequestNaming.fate(of: id, on: &connection))
  }
}
