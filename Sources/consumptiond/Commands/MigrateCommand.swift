import FoundationEssentials
import PostgreSQL
import Store

/// `consumptiond migrate [--print] [--database CONNINFO]`
struct MigrateCommand {
  let target: Command.MigrationTarget

  func run(_ output: inout Output) throws(CommandFailure) {
    let database: Conninfo
    switch target {
    case .print: return try output.write(Migrator.script)
    case .database(let secret): database = try Self.stated(secret)
    case .configured(let config): database = try Connecting.database(config: config)
    }
    let report = try Connecting.use(database, as: .migrate) {
      connection throws(PostgresError) in try Migrator.migrate(&connection)
    }
    try output.line(Self.sentence(report))
  }

  private static func stated(_ secret: Secret) throws(CommandFailure) -> Conninfo {
    do throws(ConfigurationError) {
      return try DatabaseAccess.stated(secret, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw error.failure
    }
  }

  static func sentence(_ report: Migrator.Report) -> String {
    switch report.from {
    case report.to:
      "The schema consumptiond has version \(report.to) already; its functions, views and grants "
        + "were renewed."
    case 0: "The schema consumptiond is installed, version \(report.to)."
    default: "The schema consumptiond went from version \(report.from) to \(report.to)."
    }
  }
}
