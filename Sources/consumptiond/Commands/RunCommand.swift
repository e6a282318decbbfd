import AppStore
import Daemon
import Decision
import Dispatch
import FoundationEssentials
import PostgreSQL
import Store

/// `consumptiond run [--drain]`
struct RunCommand {
  private let loaded: LoadedConfiguration
  private let drain: Bool

  /// How long a database that is away at the start is waited for with `--drain`.
  private static let drainPatience = Duration.seconds(30)

  init(config: String?, drain: Bool) throws(CommandFailure) {
    loaded = try LoadedConfiguration(config)
    self.drain = drain
  }

  func run() async throws(CommandFailure) -> ExitCode {
    let log = LogOutput.standardError(ProcessInfo.processInfo.environment)
    let signals = Signals()
    let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
    manager.status("waits for the database")
    guard let queries = try await prepare(log, signals) else { return .ok }
    let daemon = Daemon(loaded.settings, queries: queries, log: log, drain: drain)
    log(
      .info, "started",
      "answers for \(loaded.configuration.apps.map(\.bundleId).joined(separator: ", ")); "
        + "at most \(daemon.connections) connections to PostgreSQL")
    signals.onTermination {
      manager.stopping()
      daemon.stop()
    }
    manager.ready(
      "answers for \(loaded.configuration.apps.map(\.bundleId).joined(separator: ", "))")
    switch await daemon.run() {
    case .finished:
      log(.info, "stopped", drain ? "drained" : "stopped")
      return .ok
    case .databaseAway: return .unavailable
    }
  }

  /// Waits for the database, and has it describe the configuration's queries and rules: nothing
  /// starts half-configured. Nil when a signal came first.
  private func prepare(_ log: Log, _ signals: Signals) async throws(CommandFailure) -> Queries? {
    let started = ContinuousClock.now
    var said = false
    while !signals.isTerminating {
      switch attempt() {
      case .success(let queries): return queries
      case .failure(.failed(let failure)): throw failure
      case .failure(.away(let error)):
        if drain, ContinuousClock.now - started > Self.drainPatience { throw error.failure }
        if !said {
          log(
            .error, "database_unreachable",
            "the database cannot be used: \(error.message); waiting for it")
          said = true
        }
        do { try await Task.sleep(for: .milliseconds(500)) } catch { return nil }
      }
    }
    return nil
  }

  private enum NotReady: Error {
    case away(PostgresError)
    case failed(CommandFailure)
  }

  private func attempt() -> Result<Queries, NotReady> {
    do throws(PostgresError) {
      var connection = try Connection(loaded.database, timeout: .seconds(5))
      if let complaint = try Migrator.complaint(&connection) {
        return .failure(
          .failed(CommandFailure(code: .configuration, message: "database: \(complaint)")))
      }
      if let stamp = try Instance.stamp(loaded.configuration.instance, on: &connection),
        let name = loaded.configuration.instance, stamp != name
      {
        return .failure(.failed(Self.otherInstance(stamp, name)))
      }
      return try loaded.compiled(on: &connection).mapError { .failed($0) }
    } catch {
      return .failure(error.mayHeal ? .away(error) : .failed(error.failure))
    }
  }

  /// A copy of a database must not answer Apple beside its original.
  static func otherInstance(_ stamp: String, _ name: String) -> CommandFailure {
    CommandFailure(
      code: .configuration,
      message: "database: it belongs to the instance \"\(Printable.text(stamp))\", and the "
        + "configuration's is \"\(name)\". If this is a copy that shall live by itself: "
        + "consumptiond adopt (--cancel-open where the original answers what is open)")
  }
}
