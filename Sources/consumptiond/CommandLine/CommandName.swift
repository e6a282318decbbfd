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
      Syntax([
        Option("json"), Option("watch", value: "SECONDS", isOptional: true), Option("exit-code"),
      ])
    case .show: Syntax([Option("json")], operand: "ID", isRequired: true)
    case .help: Syntax([], operand: "COMMAND")
    case .check: Syntax([Option("customer", value: "ID"), Option("json")])
    case .preview: Syntax([Option("json")], operand: "ID|FILE", isRequired: true)
    case .answer:
      Syntax(
        [Option("prefer", value: "PREFERENCE"), Option("note", value: "TEXT")], operand: "ID",
        isRequired: true)
    case .retry: Syntax([Option("redecide")], operand: "ID", isRequired: true)
    case .cancel: Syntax([], operand: "ID", isRequired: true)
    case .pause: Syntax([Option("app", value: "BUNDLE"), Option("note", value: "TEXT")])
    case .resume: Syntax([Option("app", value: "BUNDLE")])
    case .adopt: Syntax([Option("cancel-open")])
    case .alerts, .report, .backtest, .backfill, .prune, .forget, .export: nil
    }
  }
}
