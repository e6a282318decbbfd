internal import PostgreSQL
internal import Store

/// Renews the leases of this process at a third of their length. It shares its connection with
/// nobody: a slow query of someone else must not cost a lease.
actor LeaseKeeper: Owner {
  nonisolated let executor = QueueExecutor("lease-keeper")
  private let house: Household
  private var session: DatabaseSession

  init(_ house: Household) {
    self.house = house
    session = DatabaseSession(house.settings.database, health: house.health, name: "lease-keeper")
  }

  /// Soon again after a failure: two thirds of a lease are left then.
  private static let retry = Duration.seconds(1)

  func start() {
    let pause = house.leases.duration / 3
    post(after: renew() ? pause : min(pause, Self.retry)) { $0.start() }
  }

  /// What cannot be renewed stays in the book until its time is over; nothing is sent after that.
  ///
  /// - Returns: false when the database could not be asked.
  private func renew() -> Bool {
    let tokens = house.leases.tokens
    guard !tokens.isEmpty else {
      house.health.worked(for: session.name)
      return true
    }
    let sent = ContinuousClock.now
    do throws(PostgresError) {
      let renewed = try session.use { connection throws(PostgresError) in
        try Leases.renew(tokens, for: house.leases.duration, on: &connection)
      }
      let lost = house.leases.renew(asked: tokens, renewed: renewed, sent: sent)
      if lost > 0 {
        house.log(
          .warning, "lease_lost",
          "\(lost) leases ran out before they were renewed; their requests are done by others")
      }
      return true
    } catch {
      house.report(error, "lease keeper")
      return false
    }
  }

  func close() { session.close() }
}
