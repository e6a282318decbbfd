import AppStore
import Daemon
import Decision
import Dispatch
import FoundationEssentials
import PostgreSQL
import Store

/// `consumptiond run [--drain]`
struct RunCommand {
  private let configuration: Configuration
  private let database: Conninfo
  private let listen: Conninfo?
  private let drain: Bool

  /// How long a database that is away at the start is waited for with `--drain`.
  private static let drainPatience = Duration.seconds(30)

  init(config: String?, drain: Bool) throws(CommandFailure) {
    do throws(ConfigurationError) {
      let environment = ProcessInfo.processInfo.environment
      configuration = try ConfigurationFile.load(config, environment: environment)
      let access = configuration.databaseAccess(environment)
      database = try access.database()
      listen = try access.listen()
    } catch {
      throw error.failure
    }
    self.drain = drain
  }

  func run() async throws(CommandFailure) -> ExitCode {
    let log = LogOutput.standardError(ProcessInfo.processInfo.environment)
    let signals = Signals()
    guard let queries = try await prepare(log, signals) else { return .ok }
    let daemon = Daemon(settings, queries: queries, log: log, drain: drain)
    log(
      .info, "started",
      "answers for \(configuration.apps.map(\.bundleId).joined(separator: ", ")); "
        + "at most \(daemon.connections) connections to PostgreSQL")
    signals.onTermination { daemon.stop() }
    switch await daemon.run() {
    case .finished:
      log(.info, "stopped", drain ? "drained" : "stopped")
      return .ok
    case .databaseAway: return .unavailable
    }
  }

  private var settings: Settings {
    Settings(
      mode: configuration.mode, database: database, listen: listen,
      apps: configuration.apps.map { app in
        Settings.App(
          identity: app.identity, key: app.key,
          endpoints: app.endpoints.mapValues {
            Settings.Endpoint(url: $0.url, rootsFile: $0.rootsFile)
          })
      },
      anchors: configuration.anchors, queries: queryPolicy, response: configuration.response,
      deadline: configuration.deadline, concurrency: configuration.worker.concurrency,
      requestTimeout: configuration.worker.requestTimeout,
      queryTimeout: configuration.worker.queryTimeout,
      payloadRetention: configuration.retention.payloads)
  }

  private var queryPolicy: QueryPolicy {
    QueryPolicy(
      customer: configuration.customer, consent: configuration.consent,
      usage: configuration.usage, preference: configuration.response.preference,
      searchPath: configuration.connections.searchPath)
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
      var connection = try Connection(database, timeout: .seconds(5))
      if let complaint = try Migrator.complaint(&connection) {
        return .failure(
          .failed(CommandFailure(code: .configuration, message: "database: \(complaint)")))
      }
      if let stamp = try Instance.stamp(configuration.instance, on: &connection),
        let name = configuration.instance, stamp != name
      {
        return .failure(.failed(Self.otherInstance(stamp, name)))
      }
      do throws(CompilationError) {
        return .success(try QueryCompiler.compile(queryPolicy, on: &connection))
      } catch {
        switch error {
        case .database(let error): throw error
        case .fault(let fault):
          return .failure(
            .failed(
              CommandFailure(
                code: .configuration, message: "\(configuration.file): \(fault.description)")))
        }
      }
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
