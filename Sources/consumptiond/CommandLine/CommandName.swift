/// Every command that the program is going to have, in the order in which help lists them.
enum CommandName: String, CaseIterable {
  case run, migrate, check, enqueue, verify, preview, status, show, answer, retry, cancel, pause,
    resume, alerts, report, backtest, backfill, prune, forget, export, adopt, help

  /// What the command takes; nil: it is known by name and not built yet.
  var syntax: Syntax? {
    switch self {
    case .run: Syntax([Option("drain")])
    case .migrate: Syntax([Option("print"), Option("database", value: "CONNINFO")])
    case .enqueue: Syntax([], operand: "FILE")
    case .verify: Syntax([Option("root", value: "FILE"), Option("json")], operand: "FILE")
    case .status:
      Syntax([Option("json"), Option("watch", isBuilt: false), Option("exit-code", isBuilt: false)])
    case .show: Syntax([Option("json")], operand: "ID", isRequired: true)
    case .help: Syntax([], operand: "COMMAND")
    case .check, .preview, .answer, .retry, .cancel, .pause, .resume, .alerts, .report, .backtest,
      .backfill, .prune, .forget, .export, .adopt:
      nil
    }
  }
}
