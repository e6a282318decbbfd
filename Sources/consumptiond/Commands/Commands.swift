import FoundationEssentials
import PostgreSQL
import Store

/// What the words of the command line lead to.
enum Commands {
  static func run(_ words: [String]) async -> ExitCode {
    do throws(CommandFailure) {
      return try await dispatch(words)
    } catch {
      FileHandle.standardErrorLine("consumptiond: \(error.message)")
      return error.code
    }
  }

  private static func dispatch(_ words: [String]) async throws(CommandFailure) -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    var config: String?
    if let index = words.firstIndex(of: "--config"), index + 1 < words.count { config = words[index + 1] }
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try ConfigurationFile.load(config, environment: environment)
    } catch {
      throw CommandFailure(code: .configuration, message: error.description)
    }
    switch words.first {
    case "run":
      return try await RunCommand(configuration: configuration, drain: words.contains("--drain")).run()
    case "migrate": return try MigrateCommand(database: try configuration.database()).run()
    default: throw CommandFailure(code: .usage, message: "unknown")
    }
  }
}

enum FileHandle {
  static func standardErrorLine(_ s: String) { print(s) }
}
