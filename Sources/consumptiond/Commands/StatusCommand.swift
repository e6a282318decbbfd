import AppStore
import PostgreSQL
import Store

/// `consumptiond status [--json]`
struct StatusCommand {
  let config: String?
  let json: Bool

  /// How many open requests are shown to people; `--json` shows more.
  private static let shown = 20
  private static let listed = 1000

  func run(_ output: inout Output) throws(CommandFailure) {
    let limit = json ? Self.listed : Self.shown
    let found = try Connecting.use(try Connecting.database(config: config), as: .status) {
      connection throws(PostgresError) in
      let complaint = try Migrator.complaint(&connection)
      if let complaint {
        return Result<StatusReport, SchemaComplaint>.failure(.init(text: complaint))
      }
      return .success(
        try StatusReport.read(openAtMost: limit, lostAtMost: json ? limit : 5, on: &connection))
    }
    switch found {
    case .failure(let complaint):
      throw CommandFailure(code: .configuration, message: "database: \(complaint.text)")
    case .success(let report):
      if json { return try output.line(StatusJSON.text(report)) }
      try output.lines(StatusPage(report).lines(output.style, width: output.width))
    }
  }
}

/// Why a schema cannot be read.
struct SchemaComplaint: Error {
  let text: String
}
