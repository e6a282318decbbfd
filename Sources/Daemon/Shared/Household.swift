internal import AppStore
internal import Store

/// What every owner is given: the settings and the few things that they share.
struct Household: Sendable {
  let settings: Settings
  let log: Log
  let health: DatabaseHealth
  let leases: LeaseBook
  let stopping: Locked<Bool>
  /// What each owner complained of last, and when.
  let complaints = Locked<[String: (text: String, at: ContinuousClock.Instant)]>([:])
  /// Results that could not be written yet.
  let unrecorded = Locked(0)

  init(settings: Settings, log: Log) {
    self.settings = settings
    self.log = log
    health = DatabaseHealth(log)
    permits = Self.shares(settings)
    leases = LeaseBook(duration: settings.lease)
    stopping = Locked(false)
  }

  /// Requests on the wire at once, for each environment: Sandbox has a share of its own and never
  /// delays production.
  private let permits: [AppStore.Environment: Permits]

  func permits(_ environment: AppStore.Environment) -> Permits {
    permits[environment] ?? Permits(0)
  }

  private static func shares(_ settings: Settings) -> [AppStore.Environment: Permits] {
    let environments = Set(settings.served.map(\.environment))
    guard environments.count > 1 else {
      return environments.reduce(into: [:]) { $0[$1] = Permits(settings.concurrency) }
    }
    let sandbox = max(1, settings.concurrency / 4)
    return [
      .production: Permits(max(1, settings.concurrency - sandbox)), .sandbox: Permits(sandbox),
    ]
  }

  /// True from SIGTERM on: nothing new is claimed or sent.
  var isStopping: Bool { stopping.withLock { $0 } }
}
