import FoundationEssentials
import PostgreSQL
import Store

/// A command's own connection.
enum Connecting {
  private static let timeout = Duration.seconds(10)

  /// Where the database of a configuration is; nothing else of it is read.
  static func database(config: String?) throws(CommandFailure) -> Conninfo {
    do throws(ConfigurationError) {
      return try ConfigurationFile.loadDatabase(
        config, environment: ProcessInfo.processInfo.environment
      ).database()
    } catch {
      throw error.failure
    }
  }

  /// Connects to the database of a configuration and does something with the schema in it.
  static func queue<Value>(
    config: String?, as command: CommandName,
    _ body: (inout Connection) throws(PostgresError) -> Value
  ) throws(CommandFailure) -> Value {
    let result: Result<Value, CommandFailure> = try use(
      try database(config: config), as: command
    ) { connection throws(PostgresError) in
      if let complaint = try Migrator.complaint(&connection) {
        return .failure(CommandFailure(code: .configuration, message: "database: \(complaint)"))
      }
      return .success(try body(&connection))
    }
    return try result.get()
  }

  /// Connects and does something; what PostgreSQL says becomes the command's failure.
  static func use<Value>(
    _ info: Conninfo, as command: CommandName,
    _ body: (inout Connection) throws(PostgresError) -> Value
  ) throws(CommandFailure) -> Value {
    var info = info
    // Not the daemon's name: `status` counts who goes by that.
    info["fallback_application_name"] = "consumptiond \(command.rawValue)"
    do throws(PostgresError) {
      var connection = try Connection(info, timeout: timeout)
      return try body(&connection)
    } catch {
      throw error.failure
    }
  }
}

extension PostgresError {
  /// As a command's failure: away, forbidden, not installed, or something that PostgreSQL says about
  /// what was asked of it.
  var failure: CommandFailure {
    switch (kind, sqlState) {
    case (_, "42501"):
      CommandFailure(code: .permission, message: "database: \(said)")
    case (.server, "3F000"), (.server, "42P01"), (.server, "42883"):
      CommandFailure(
        code: .configuration,
        message: "database: the schema consumptiond is not installed, or is older than this "
          + "program: run consumptiond migrate")
    case (.server, "55000"):
      CommandFailure(code: .configuration, message: "database: \(said)")
    case (.connection, _), (.readOnly, _), (.timeout, _), (.cancelled, _), (.notRun, _),
      (.server, "55P03"), (.server, "53300"):
      CommandFailure(code: .unavailable, message: "database: cannot be used now: \(said)")
    case (.conninfo, _): CommandFailure(code: .configuration, message: "database: \(said)")
    case (.server, _): CommandFailure(code: .data, message: "database: \(said)")
    case (.decoding, _): CommandFailure(code: .internal, message: "database: \(said)")
    }
  }

  /// The message and what the server advises, fit for a terminal.
  private var said: String {
    Printable.text(([message] + [hint].compactMap(\.self)).joined(separator: ". "))
  }
}
