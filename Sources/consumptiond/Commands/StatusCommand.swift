import AppStore
import PostgreSQL
import Store

/// `consumptiond status [--json]`
struct StatusCommand {
  let config: String?
  let json: Bool

  /// How many requests are read of those that are open, and of those that ended badly.
  private static let limit = 1000

  func run(_ output: inout Output) throws(CommandFailure) {
    let found = try Connecting.use(try Connecting.database(config: config), as: .status) {
      connection throws(PostgresError) in
      let complaint = try Migrator.complaint(&connection)
      if let complaint {
        return Result<StatusReport, SchemaComplaint>.failure(.init(text: complaint))
      }
      return .success(
        try StatusReport.read(openAtMost: Self.limit, lostAtMost: Self.limit, on: &connection))
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
