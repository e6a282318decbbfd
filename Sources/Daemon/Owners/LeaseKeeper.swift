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

  func start() {
    renew()
    post(after: house.leases.duration / 3) { $0.start() }
  }

  /// What cannot be renewed stays in the book until its time is over; nothing is sent after that.
  private func renew() {
    let tokens = house.leases.tokens
    guard !tokens.isEmpty else { return }
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
    } catch {
      house.report(error, "lease keeper")
    }
  }

  func close() { session.close() }
}
