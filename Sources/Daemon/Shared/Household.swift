/// What every owner is given: the settings and the few things that they share.
struct Household: Sendable {
  let settings: Settings
  let log: Log
  let health: DatabaseHealth
  let permits: Permits
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
    permits = Permits(settings.concurrency)
    leases = LeaseBook(duration: settings.lease)
    stopping = Locked(false)
  }

  /// True from SIGTERM on: nothing new is claimed or sent.
  var isStopping: Bool { stopping.withLock { $0 } }
}
