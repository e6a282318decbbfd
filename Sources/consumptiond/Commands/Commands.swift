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
    case .status(let config, let json): try StatusCommand(config: config, json: json).run(&output)
    case .show(let config, let id, let json):
      try ShowCommand(config: config, id: id, json: json).run(&output)
    case .help(let name): try output.line(name.map(HelpText.of) ?? HelpText.overview)
    case .version: try output.line(Version.line)
    }
    return .ok
  }
}
