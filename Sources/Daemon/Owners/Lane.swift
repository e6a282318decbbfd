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
  private var turns = 0
  /// In the order in which they are worked on.
  private let environments: [AppStore.Environment]

  private static let batch = 16
  private static let aloneEvery = 8

  init(
    _ house: Household, queries: Queries, sender: Sender, number: Int,
    environments: [AppStore.Environment]
  ) {
    executor = QueueExecutor("lane-\(number)")
    self.house = house
    self.queries = queries
    self.sender = sender
    self.environments = environments
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
      var promisesMore = false
      for environment in environments {
        promisesMore = try run(environment) || promisesMore
      }
      if promisesMore { wake() }
      try handBackAbandoned()
    } catch {
      house.report(error, "lane")
    }
  }

  /// A batch of one environment. Returns whether there may be more of it.
  private func run(_ environment: AppStore.Environment) throws(PostgresError) -> Bool {
    let served = house.settings.served.filter { $0.environment == environment }
    let permits = house.permits(environment)
    turns += 1
    // Those that used up the time of a batch do not starve behind a long backlog.
    if turns.isMultiple(of: Self.aloneEvery), try run(served, alone: true, permits) { return true }
    if try run(served, alone: false, permits) { return true }
    return try run(served, alone: true, permits)
  }

  /// - Parameter alone: one request that used up the time of a batch, or a batch of the others.
  private func run(
    _ served: [Requests.Served], alone: Bool, _ permits: Permits
  ) throws(PostgresError) -> Bool {
    let taken = permits.take(upTo: alone ? 1 : Self.batch) { self.post { $0.wake() } }
    guard taken > 0 else { return false }
    return try run(served, alone: alone, permits, taken)
  }

  private func handBackAbandoned() throws(PostgresError) {
    guard !abandoned.isEmpty else { return }
    _ = try session.use { connection throws(PostgresError) in
      try Leases.release(abandoned, on: &connection)
    }
    abandoned = []
  }

  /// Works on at most `taken` requests; the permits of those that go out go with them.
  ///
  /// - Returns: whether there may be more.
  private func run(
    _ served: [Requests.Served], alone: Bool, _ permits: Permits, _ taken: Int
  ) throws(PostgresError) -> Bool {
    let sent = ContinuousClock.now
    let claims: [Requests.Claim]
    do throws(PostgresError) {
      claims = try session.use { connection throws(PostgresError) in
        try Requests.claim(
          served, alone: alone, atMost: taken, lease: house.leases.duration, on: &connection)
      }
    } catch {
      permits.give(taken)
      throw error
    }
    let tokens = claims.map(\.token)
    house.leases.add(tokens, sent: sent)
    // More than these will not be needed: the other lane may have them while this one works.
    permits.give(taken - claims.count)
    guard !claims.isEmpty else { return false }
    var progress = Turn.Progress()
    defer {
      // Whatever was not written down is as it was; its leases go back.
      house.leases.remove(tokens.filter { !progress.sent.contains($0) })
      permits.give(claims.count - progress.sent.count)
      abandoned += tokens.filter {
        !progress.sent.contains($0) && !progress.finished.contains($0)
      }
    }
    try work(on: claims, &progress)
    // A full batch promises more; so does an ended request for one that was behind it.
    return claims.count == taken || !progress.finished.isEmpty
  }

  private func work(
    on claims: [Requests.Claim], _ progress: inout Turn.Progress
  ) throws(PostgresError) {
    let house = house
    let sender = sender
    let turn = Turn(
      settings: house.settings, queries: queries, log: house.log,
      send: { dispatch in sender.post { $0.send(dispatch) } },
      isStopping: { house.isStopping })
    try session.use { connection throws(PostgresError) in
      try turn.run(claims, &progress, on: &connection)
    }
  }

  /// Hands back what the shutdown left unfinished.
  func close() {
    // The shutdown's cancelling was not meant for this, and may come late.
    session.ignoreCancelling()
    for _ in 0..<2 where !abandoned.isEmpty { try? handBackAbandoned() }
    session.close()
  }
}
