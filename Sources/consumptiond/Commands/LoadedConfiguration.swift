import Daemon
import FoundationEssentials
import PostgreSQL
import Store

/// A configuration that was read whole, and where its databases are.
struct LoadedConfiguration {
  let configuration: Configuration
  let database: Conninfo
  let listen: Conninfo?

  init(_ config: String?) throws(CommandFailure) {
    do throws(ConfigurationError) {
      let environment = ProcessInfo.processInfo.environment
      configuration = try ConfigurationFile.load(config, environment: environment)
      let access = configuration.databaseAccess(environment)
      database = try access.database()
      listen = try access.listen()
    } catch {
      throw error.failure
    }
  }

  var settings: Settings { configuration.settings(database: database, listen: listen) }

  /// The configuration's SQL, described by PostgreSQL. What it finds wrong is a failure.
  func compiled(
    on connection: inout Connection
  ) throws(PostgresError) -> Result<Queries, CommandFailure> {
    do throws(CompilationError) {
      return .success(try QueryCompiler.compile(configuration.queryPolicy, on: &connection))
    } catch {
      switch error {
      case .database(let error): throw error
      case .fault(let fault):
        return .failure(
          CommandFailure(
            code: .configuration, message: "\(configuration.file): \(fault.description)"))
      }
    }
  }
}
