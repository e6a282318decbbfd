internal import AppStore
internal import Decision
internal import PostgreSQL
internal import Store

/// Keeps the queue in order: leases that ran out, waits that are over, deadlines that passed, held
/// requests that are due a look. Every daemon does it, a batch at a time; no one leads.
actor Maintenance: Owner {
  nonisolated let executor = QueueExecutor("maintenance")
  private let house: Household
  private let queries: Queries
  private let promoted: @Sendable () -> Void
  private var session: DatabaseSession
  private var isAwake = false
  private var nextTidying = ContinuousClock.now
  private var pauses = PauseWatch()

  private static let batch = 64

  /// - Parameter promoted: called when requests became `queued`.
  init(_ house: Household, queries: Queries, promoted: @escaping @Sendable () -> Void) {
    self.house = house
    self.queries = queries
    self.promoted = promoted
    session = DatabaseSession(house.settings.database, health: house.health, name: "maintenance")
  }

  func wake() {
    guard !isAwake else { return }
    isAwake = true
    post { maintenance in
      maintenance.isAwake = false
      maintenance.run()
    }
  }

  private func run() {
    guard !house.isStopping else { return }
    do throws(PostgresError) {
      let (reaped, expired, released) = try session.use { connection throws(PostgresError) in
        // After an outage leases have run out under results that are not written yet. Reaped, those
        // requests would go to Apple again; the recorder writes within seconds.
        let mayReap = house.unrecorded.withLock { $0 == 0 }
        let reaped = mayReap ? try Leases.reap(on: &connection) : []
        let promoted = try Requests.promote(on: &connection)
        let expired = try Requests.expire(on: &connection)
        let released = try look(on: &connection)
        return (reaped, expired, released + promoted)
      }
      report(reaped, expired)
      try lookAtPauses()
      if !reaped.isEmpty || !expired.isEmpty || released > 0 { promoted() }
      try tidy()
    } catch {
      house.report(error, "maintenance")
    }
  }

  private func report(_ reaped: [Int64], _ expired: [Requests.Expired]) {
    for id in reaped {
      house.log(
        .warning, "worker_gone", "its worker went away; it is queued again", request: id)
    }
    for request in expired {
      house.log(
        request.state == "withheld" ? .info : .error,
        request.state == "queued" ? "deadline_passed" : request.state,
        request.reason ?? "the deadline passed; one late attempt is made", request: request.id)
    }
  }

  /// Looks at held requests. Returns how many nothing keeps any more.
  private func look(on connection: inout Connection) throws(PostgresError) -> Int {
    let taken = try HeldRequests.take(
      house.settings.served, atMost: Self.batch, decideBy: house.settings.deadline.decideBy,
      on: &connection)
    guard !taken.isEmpty else { return 0 }
    var works: [Work] = []
    for result in try Requests.load(taken, on: &connection) {
      if case .success(let work) = result { works.append(work) }
    }
    let batch = ReadOnlyBatch(
      searchPath: house.settings.queries.searchPath,
      statementTimeout: house.settings.queryTimeout, budget: house.settings.queryTimeout)
    let findings = try Identification(queries: queries, batch: batch)
      .find(works.map { PurchaseValues($0.transaction) }, on: &connection)
    var released = 0
    var statements: [[Statement]] = []
    for (work, finding) in zip(works, findings) {
      switch finding {
      case .consenting where work.underReview && !isDecisionDue(work):
        statements.append([HeldRequests.keep(work.id, reason: "review")])
      case .consenting:
        released += 1
        statements.append([HeldRequests.release(work.id)])
      case .stopped(let obstacle, let customer, let proof):
        statements.append(keep(work, obstacle, customer, proof))
      }
    }
    for result in try connection.pipeline(statements) { _ = try result.get() }
    return released
  }

  /// Whether a person's time to decide is over.
  private func isDecisionDue(_ work: Work) -> Bool {
    work.now >= house.settings.deadline.decideAt(signedAt: work.signedAt, work.environment)
  }

  /// A look that failed tells nothing: what was known before stays.
  private func keep(
    _ work: Work, _ obstacle: Identification.Obstacle, _ customer: String?, _ proof: ConsentProof?
  ) -> [Statement] {
    switch obstacle.kind {
    // A worker ends it.
    case .final: return [HeldRequests.release(work.id)]
    case .unavailable: return [HeldRequests.note(work.id, error: obstacle.trouble?.message)]
    case .lasting:
      return [
        Finishing.note(work.id, customer: customer, consent: proof),
        HeldRequests.keep(work.id, reason: obstacle.reason),
      ]
    }
  }

  private func lookAtPauses() throws(PostgresError) {
    let lasting = try session.use { connection throws(PostgresError) in
      try Pauses.all(on: &connection)
    }
    for event in pauses.look(lasting, now: .now) { house.log.paused(event) }
  }

  /// What is in no hurry, every ten minutes.
  private func tidy() throws(PostgresError) {
    guard ContinuousClock.now >= nextTidying else { return }
    nextTidying = ContinuousClock.now + .seconds(600)
    let abandoned = try session.use { connection throws(PostgresError) in
      _ = try Requests.forgetPayloads(olderThan: house.settings.payloadRetention, on: &connection)
      return try Requests.abandon(on: &connection)
    }
    report([], abandoned)
  }

  /// Sends a notification through the server, for the listener to prove that it hears.
  func probe(_ payload: String, _ sent: @Sendable () -> Void) {
    do throws(PostgresError) {
      _ = try session.use { connection throws(PostgresError) in
        try connection.query("SELECT pg_notify('consumptiond', $1)", [.text(payload)])
      }
      sent()
    } catch {
      house.report(error, "maintenance")
    }
  }

  /// Whether something is left that can be worked on now; nil when the database could not tell.
  func isPending() -> Bool? {
    do throws(PostgresError) {
      return try session.use { connection throws(PostgresError) in
        try Requests.isPending(house.settings.served, on: &connection)
      }
    } catch {
      house.report(error, "maintenance")
      return nil
    }
  }

  func close() { session.close() }
}
