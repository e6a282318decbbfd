internal import AppStore
internal import Decision
internal import PostgreSQL
internal import Store

/// Claims requests and takes them, a batch at a time, up to the wire. It never waits for Apple.
actor Lane: Owner {
  nonisolated let executor: QueueExecutor
  private let house: Household
  private let queries: Queries
  private let sender: Sender
  private var session: DatabaseSession
  /// Leases of a batch that the database was lost under: handed back when it is there again.
  private var abandoned: [String] = []
  private var isAwake = false

  private static let batch = 16

  init(_ house: Household, queries: Queries, sender: Sender, number: Int) {
    executor = QueueExecutor("lane-\(number)")
    self.house = house
    self.queries = queries
    self.sender = sender
    session = DatabaseSession(house.settings.database, health: house.health, name: "lane-\(number)")
  }

  /// Looks for work. Any number of calls while it is busy are one.
  func wake() {
    guard !isAwake else { return }
    isAwake = true
    post { lane in
      lane.isAwake = false
      lane.run()
    }
  }

  private func run() {
    guard !house.isStopping else { return }
    do throws(PostgresError) {
      try handBackAbandoned()
      let permits = house.permits.take(upTo: Self.batch)
      guard permits > 0 else { return }
      // A full batch promises more.
      if try run(permits) == permits { wake() }
    } catch {
      house.report(error, "lane")
    }
  }

  private func handBackAbandoned() throws(PostgresError) {
    guard !abandoned.isEmpty else { return }
    _ = try session.use { connection throws(PostgresError) in
      try Leases.release(abandoned, on: &connection)
    }
    abandoned = []
  }

  /// Works on at most `permits` requests; the permits of those that go out go with them.
  private func run(_ permits: Int) throws(PostgresError) -> Int {
    let sent = ContinuousClock.now
    let claims: [Requests.Claim]
    do throws(PostgresError) {
      claims = try session.use { connection throws(PostgresError) in
        try Requests.claim(
          house.settings.served, atMost: permits, lease: house.leases.duration, on: &connection)
      }
    } catch {
      house.permits.give(permits)
      throw error
    }
    let tokens = claims.map(\.token)
    house.leases.add(tokens, sent: sent)
    let outcome: Turn.Outcome
    do throws(PostgresError) {
      outcome = try work(on: claims)
    } catch {
      // Whatever of it was not written down is as it was; the leases go back.
      house.leases.remove(tokens)
      abandoned += tokens
      house.permits.give(permits)
      throw error
    }
    let outgoing = Set(outcome.dispatches.map(\.work.token))
    house.leases.remove(tokens.filter { !outgoing.contains($0) })
    house.permits.give(permits - outcome.dispatches.count)
    for dispatch in outcome.dispatches { sender.post { $0.send(dispatch) } }
    abandoned += outcome.unused
    try handBackAbandoned()
    return claims.count
  }

  private func work(on claims: [Requests.Claim]) throws(PostgresError) -> Turn.Outcome {
    guard !claims.isEmpty else { return Turn.Outcome() }
    let turn = Turn(settings: house.settings, queries: queries, log: house.log)
    return try session.use { connection throws(PostgresError) in
      try turn.run(claims, on: &connection)
    }
  }

  /// Hands back what the shutdown left unfinished.
  func close() {
    try? handBackAbandoned()
    session.close()
  }
}
