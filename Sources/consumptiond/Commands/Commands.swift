import FoundationEssentials

/// Where a command line leads to, and how it ends.
enum Commands {
  static func run(_ words: [String]) async -> ExitCode {
    do throws(CommandFailure) {
      return try await execute(ArgumentParser.parse(words))
    } catch {
      Output.complain("consumptiond: \(error.message)")
      return error.code
    }
  }

  private static func execute(_ command: Command) async throws(CommandFailure) -> ExitCode {
    var output = Output.standardOutput(ProcessInfo.processInfo.environment)
    switch command {
    case .run(let config, let drain):
      return try await RunCommand(config: config, drain: drain).run()
    case .migrate(let target): try MigrateCommand(target: target).run(&output)
    case .enqueue(let config, let source):
      try EnqueueCommand(config: config, source: source).run(&output)
    case .verify(let config, let source, let root, let json):
      try VerifyCommand(config: config, source: source, root: root, json: json).run(&output)
    case .status(let config, let view):
      return try StatusCommand(config: config, view: view).run(&output)
    case .show(let config, let id, let json):
      try ShowCommand(config: config, id: id, json: json).run(&output)
    case .intervene(let config, let id, let intervention):
      try InterventionCommand(config: config, id: id, intervention: intervention).run(&output)
    case .pause(let config, let app, let note):
      try PauseCommand(config: config, app: app).pause(note: note, &output)
    case .resume(let config, let app):
      try PauseCommand(config: config, app: app).resume(&output)
    case .adopt(let config, let cancelOpen):
      try AdoptCommand(config: config, cancelOpen: cancelOpen).run(&output)
    case .check(let config, let customer, let json):
      return try CheckCommand(config: config, customer: customer, json: json).run(&output)
    case .preview(let config, let subject, let json):
      try PreviewCommand(config: config, subject: subject, json: json).run(&output)
    case .help(let name): try output.line(name.map(HelpText.of) ?? HelpText.overview)
    case .version: try output.line(Version.line)
    }
    return .ok
  }
}
