/// What every owner is given: the settings and the few things that they share.
struct Household: Sendable {
  let settings: Settings
  let log: Log
  let health: DatabaseHealth
  let permits: Permits
  let leases: LeaseBook
  let stopping: Locked<Bool>

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
