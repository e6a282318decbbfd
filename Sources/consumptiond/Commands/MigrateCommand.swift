import PostgreSQL
import Store

/// `consumptiond migrate [--print] [--database CONNINFO]`
struct MigrateCommand {
  let database: Conninfo

  func run() throws(CommandFailure) -> ExitCode {
    do throws(PostgresError) {
      var connection = try Connection(database, timeout: .seconds(10))
      let report = try Migrator.migrate(&connection)
      if report.from == report.to {
        print("The schema consumptiond has version \(report.to) already; its functions, views and grants were renewed.")
      } else {
        print("The schema consumptiond now has version \(report.to) (before: \(report.from == 0 ? "none" : "\(report.from)")).")
      }
      return .ok
    } catch {
      throw error.failure
    }
  }
}
