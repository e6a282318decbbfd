import PostgreSQL
import Store

/// `consumptiond status [--json] [--watch [SECONDS]] [--exit-code]`
struct StatusCommand {
  let config: String?
  let view: StatusView

  /// How many requests are read of those that are open, and of those that ended badly.
  private static let limit = 1000

  func run(_ output: inout Output) throws(CommandFailure) -> ExitCode {
    if let pause = view.watch {
      try StatusWatch(pause: pause, json: view.json).run(&output, read: read)
      return .ok
    }
    let report = try read()
    try output.lines(Self.lines(report, json: view.json, output))
    return view.exitCode && StatusProblem.all(report).contains(where: \.isAlarming)
      ? .tryLater : .ok
  }

  static func lines(_ report: StatusReport, json: Bool, _ output: Output) -> [String] {
    json
      ? [StatusJSON.text(report)] : StatusPage(report).lines(output.style, width: output.width)
  }

  private func read() throws(CommandFailure) -> StatusReport {
    try Connecting.queue(config: config, as: .status) { connection throws(PostgresError) in
      try StatusReport.read(openAtMost: Self.limit, lostAtMost: Self.limit, on: &connection)
    }
  }
}
