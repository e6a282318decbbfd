internal import AppStore
internal import Decision
internal import PostgreSQL
internal import Store

/// A lane's turn with a batch of claimed requests, step by step up to the wire:
/// route → identify → consent → period → usage → decide → compose → attempt → consent again → send.
///
/// What a step ends is let go of together with the rest of its batch; what goes on, goes on.
struct Turn {
  let settings: Settings
  let queries: Queries
  let log: Log
  /// Takes an attempt that goes out: it is recorded, and consent was read just now.
  let send: (Dispatch) -> Void
  /// Whether the daemon is to end.
  let isStopping: () -> Bool
  private let started = ContinuousClock.now

  init(
    settings: Settings, queries: Queries, log: Log, send: @escaping (Dispatch) -> Void,
    isStopping: @escaping () -> Bool
  ) {
    self.settings = settings
    self.queries = queries
    self.log = log
    self.send = send
    self.isStopping = isStopping
  }

  /// The next look at a held request after a worker's; the ones after that are maintenance's.
  private static let firstLook = Duration.seconds(60)
  private static let firstSandboxLook = Duration.seconds(20)
  private static let reserve = Duration.seconds(2)
  /// For so long a yes is of just now.
  private static let freshConsent = Duration.milliseconds(500)

  private struct Finish {
    let claim: Requests.Claim
    let work: Work?
    let ending: Ending
    var error: String? = nil
    /// It used up the time of the batch: its next turn is its own.
    var alone = false
    var notes: [Statement] = []
    /// An attempt that was recorded and does not go out.
    var unsent: Int64? = nil
  }

  /// How far a turn came, also when it failed on the way.
  struct Progress {
    /// Leases under which an attempt goes out.
    var sent: Set<String> = []
    /// Leases that are ended.
    var finished: Set<String> = []
  }

  func run(
    _ claims: [Requests.Claim], _ progress: inout Progress, on connection: inout Connection
  ) throws(PostgresError) {
    let loaded = ContinuousClock.now
    var finishes: [Finish] = []
    let routed = route(try Requests.load(claims, on: &connection), &finishes)
    let consenting = try identify(routed, &finishes, on: &connection)
    let bodies = try decide(consenting, &finishes, on: &connection)
    try goOn()
    let begun = try begin(bodies, loaded: loaded, on: &connection)
    try askAgain(begun, &finishes, on: &connection) { dispatch in
      progress.sent.insert(dispatch.work.token)
      send(dispatch)
    }
    try write(finishes, on: &connection)
    progress.finished.formUnion(finishes.map(\.claim.token))
  }

  /// A query that a shutdown cancelled tells nothing about its request: the turn ends where it is,
  /// and what it did not finish is handed back.
  private func goOn() throws(PostgresError) {
    guard !isStopping() else {
      throw PostgresError(kind: .cancelled, message: "the daemon stops")
    }
  }

  /// One budget for all queries of the turn; a little is kept for what must follow when it is used
  /// up: the requests that were not stuck are decided and sent.
  private var batch: ReadOnlyBatch {
    let left = settings.queryTimeout - (ContinuousClock.now - started)
    return ReadOnlyBatch(
      searchPath: settings.queries.searchPath, statementTimeout: settings.queryTimeout,
      budget: settings.queryTimeout
    ).within(max(left, Self.reserve))
  }

  private func route(
    _ loaded: [Result<Work, UnreadableRequest>], _ finishes: inout [Finish]
  ) -> [Work] {
    var routed: [Work] = []
    for result in loaded {
      switch result {
      case .failure(let unreadable):
        finishes.append(
          Finish(
            claim: unreadable.claim, work: nil, ending: .failed(reason: "unreadable"),
            error: unreadable.reason))
      case .success(let work):
        if let ending = Routing.ending(work, lateLimit: Deadline.lateLimit(work.environment)) {
          finishes.append(Finish(claim: work.claim, work: work, ending: ending))
        } else {
          routed.append(work)
        }
      }
    }
    return routed
  }

  private func identify(
    _ works: [Work], _ finishes: inout [Finish], on connection: inout Connection
  ) throws(PostgresError) -> [Consenting] {
    let findings = try Identification(queries: queries, batch: batch)
      .find(works.map { PurchaseValues($0.transaction) }, on: &connection)
    try goOn()
    var consenting: [Consenting] = []
    for (work, finding) in zip(works, findings) {
      switch finding {
      case .consenting(let customer, _) where work.decided && customer != work.decidedFor:
        // The purchase is somebody else's by now: his consent is none for what was decided.
        finishes.append(
          stop(work, .otherCustomer, customer, nil, late: work.isLate))
      case .consenting(let customer, let proof):
        consenting.append(Consenting(work: work, customer: customer, consent: proof))
      case .stopped(let obstacle, let customer, let proof):
        finishes.append(stop(work, obstacle, customer, proof, late: work.isLate))
      }
    }
    return consenting
  }

  private func stop(
    _ work: Work, _ obstacle: Identification.Obstacle, _ customer: String?, _ proof: ConsentProof?,
    late: Bool
  ) -> Finish {
    let delay = obstacle.kind == .unavailable ? delay(work, obstacle.trouble) : firstLook(work)
    return Finish(
      claim: work.claim, work: work,
      ending: obstacle.ending(late: late, delay: delay), error: obstacle.trouble?.message,
      alone: obstacle.trouble?.cause == .tookAllTime,
      notes: work.decided
        ? []
        : [Finishing.note(work.id, customer: customer, consent: proof, token: work.token)])
  }

  private func firstLook(_ work: Work) -> Duration {
    untilDecision(
      work, atMost: work.environment == .sandbox ? Self.firstSandboxLook : Self.firstLook)
  }

  /// A wait that the decision is made in ends when it is due.
  private func untilDecision(_ work: Work, atMost delay: Duration) -> Duration {
    let left =
      settings.deadline.decideAt(signedAt: work.signedAt, work.environment) - work.now
    return left > .zero ? min(delay, left) : delay
  }

  /// Whose turn did not come, and who runs alone for the first time, need not wait.
  private func delay(_ work: Work, _ trouble: Trouble?) -> Duration {
    switch trouble?.cause {
    case .notAsked: .zero
    case .tookAllTime: work.alone ? retryDelay(work) : .zero
    case .failed, nil: retryDelay(work)
    }
  }

  /// Without an attempt to count, a middle step of the back-off: some seconds.
  private func retryDelay(_ work: Work) -> Duration {
    RetryPolicy().delay(
      attempt: 4, timeLeft: work.deadline - work.now, random: .random(in: 0..<1))
  }

  /// What is decided already keeps its bytes; the rest is decided now, and stored.
  private func decide(
    _ requests: [Consenting], _ finishes: inout [Finish], on connection: inout Connection
  ) throws(PostgresError) -> [(request: Consenting, body: ConsumptionBody)] {
    var bodies: [(request: Consenting, body: ConsumptionBody)] = []
    for request in requests where request.work.decided {
      // A decision without a body was a rule that says not to answer.
      guard let body = request.work.body.flatMap(ConsumptionBody.init(json:)) else {
        finishes.append(withheldByRule(request.work))
        continue
      }
      bodies.append((request, request.work.degraded ? body.withoutOptionals : body))
    }
    let open = requests.filter { !$0.work.decided }
    let outcomes = try Deciding(settings: settings, queries: queries, batch: batch)
      .decide(open, on: &connection)
    try goOn()
    var records: [(request: Consenting, record: DecisionRecord)] = []
    for (request, outcome) in zip(open, outcomes) {
      switch outcome {
      case .settles(let delay):
        finishes.append(
          Finish(
            claim: request.work.claim, work: request.work,
            ending: .waiting(
              reason: "settle", delay: untilDecision(request.work, atMost: delay))))
      case .review:
        finishes.append(
          Finish(
            claim: request.work.claim, work: request.work,
            ending: .held(reason: "review", delay: firstLook(request.work)),
            notes: [
              Finishing.note(
                request.work.id, customer: request.customer, consent: request.consent,
                token: request.work.token)
            ]))
      case .waits(let trouble):
        finishes.append(
          Finish(
            claim: request.work.claim, work: request.work,
            ending: .waiting(
              reason: "usage_unavailable",
              delay: untilDecision(request.work, atMost: delay(request.work, trouble))),
            error: trouble.message, alone: trouble.cause == .tookAllTime))
      case .refused(let error): finishes.append(undecided(request.work, error))
      case .decided(let record): records.append((request, record))
      }
    }
    return keepHome(bodies + (try store(records, &finishes, on: &connection)), &finishes)
  }

  /// Whoever only observes sends nothing: not what is decided now, nor what a daemon that answered,
  /// or one that died, had decided before.
  private func keepHome(
    _ bodies: [(request: Consenting, body: ConsumptionBody)], _ finishes: inout [Finish]
  ) -> [(request: Consenting, body: ConsumptionBody)] {
    guard settings.mode == .observe else { return bodies }
    finishes += bodies.map { request, _ in
      Finish(claim: request.work.claim, work: request.work, ending: .observed)
    }
    return []
  }

  private func store(
    _ records: [(request: Consenting, record: DecisionRecord)], _ finishes: inout [Finish],
    on connection: inout Connection
  ) throws(PostgresError) -> [(request: Consenting, body: ConsumptionBody)] {
    guard !records.isEmpty else { return [] }
    let results = try connection.writeTogetherOrAlone(
      records.map { $0.record.statement($0.request.work) })
    var stored: [(request: Consenting, body: ConsumptionBody)] = []
    for ((request, record), result) in zip(records, results) {
      switch result {
      case .success(let rows) where rows.count == 1:
        log.decided(request.work, record)
        if let body = record.body.flatMap(ConsumptionBody.init(json:)) {
          stored.append((request, body))
        } else {
          finishes.append(withheldByRule(request.work))
        }
      // The lease is gone: somebody else decides.
      case .success: continue
      case .failure(let error) where error.isDataFault:
        finishes.append(
          undecided(request.work, "the decision cannot be stored: \(error.summary)"))
      case .failure(let error): throw error
      }
    }
    return stored
  }

  /// PostgreSQL refuses a value of it. After the deadline nobody looks at it any more.
  private func undecided(_ work: Work, _ error: String) -> Finish {
    Finish(
      claim: work.claim, work: work,
      ending: work.isLate
        ? .missed(reason: "undecided")
        : .held(reason: "review", delay: firstLook(work)), error: error)
  }

  private func withheldByRule(_ work: Work) -> Finish {
    Finish(
      claim: work.claim, work: work,
      ending: settings.mode == .observe ? .observed : .withheld(reason: "rule"))
  }

  /// Consent is asked again just before each send, of the primary, and after all else that could
  /// take time: a withdrawal between the decision and the send stops the send. The attempt that was
  /// recorded for it is then taken back.
  ///
  /// All are asked together. When a slow one kept the others waiting their yes is not of just now
  /// any more: each is then asked alone, and goes out before the next is asked. Those for whom no
  /// time is left take another turn.
  private func askAgain(
    _ begun: [(request: Consenting, dispatch: Dispatch)], _ finishes: inout [Finish],
    on connection: inout Connection, _ go: (Dispatch) -> Void
  ) throws(PostgresError) {
    let asked = ContinuousClock.now
    let findings = try consents(begun, on: &connection)
    let isFresh = begun.count == 1 || ContinuousClock.now - asked <= Self.freshConsent
    let until = ContinuousClock.now + settings.queryTimeout
    for (one, finding) in zip(begun, findings) {
      var finding = finding
      if !isFresh, case .consenting = finding {
        guard ContinuousClock.now < until else {
          finishes.append(anotherTurn(one))
          continue
        }
        finding = try consents([one], on: &connection)[0]
      }
      switch finding {
      case .consenting: go(one.dispatch)
      case .stopped(let obstacle, let customer, let proof):
        // By the attempt: the deadline may have passed since the request was loaded, and what is
        // late and held is looked at for ever.
        var finish = stop(
          one.request.work, obstacle, customer, proof, late: one.dispatch.attempt.isLate)
        finish.unsent = one.dispatch.attempt.id
        finishes.append(finish)
      }
    }
  }

  private func consents(
    _ begun: [(request: Consenting, dispatch: Dispatch)], on connection: inout Connection
  ) throws(PostgresError) -> [Identification.Finding] {
    let purchases = begun.map {
      PurchaseValues($0.request.work.transaction).with(customer: $0.request.customer)
    }
    let findings = try queries.consent.read(purchases, batch: batch, on: &connection)
    try goOn()
    return zip(begun, findings).map { Identification.finding($1, customer: $0.request.customer) }
  }

  private func anotherTurn(_ one: (request: Consenting, dispatch: Dispatch)) -> Finish {
    let work = one.request.work
    return Finish(
      claim: work.claim, work: work,
      ending: .waiting(reason: "consent_unavailable", delay: .seconds(1)),
      error: "consent.query: others of its batch took all the time",
      unsent: one.dispatch.attempt.id)
  }

  private func write(
    _ finishes: [Finish], on connection: inout Connection
  ) throws(PostgresError) {
    guard !finishes.isEmpty else { return }
    let statements = finishes.map { finish in
      finish.notes + [
        Finishing.statement(
          finish.claim, finish.ending, error: finish.error, alone: finish.alone,
          unsent: finish.unsent)
      ]
    }
    let results = try connection.pipeline(statements)
    for (finish, result) in zip(finishes, results) {
      switch result {
      case .success(let rows) where rows.count == 1:
        log.finished(finish.claim.id, finish.work, finish.ending, finish.error)
      case .success: continue
      case .failure(let error) where error.isDataFault:
        log(.error, "result_refused", error.summary, request: finish.claim.id)
      case .failure(let error): throw error
      }
    }
  }

  /// Each attempt's row is committed before the attempt goes out; none is made where less of the
  /// lease is left than a request may take.
  private func begin(
    _ bodies: [(request: Consenting, body: ConsumptionBody)], loaded: ContinuousClock.Instant,
    on connection: inout Connection
  ) throws(PostgresError) -> [(request: Consenting, dispatch: Dispatch)] {
    guard !bodies.isEmpty else { return [] }
    // In the order in which the lease keeper locks them.
    let bodies = bodies.sorted { $0.request.work.id < $1.request.work.id }
    let results = try connection.writeTogetherOrAlone(
      bodies.map { request, _ in
        Attempts.beginning(
          request.work, endpoint: settings.endpoint(request.work),
          needed: settings.requestTimeout)
      })
    var begun: [(request: Consenting, dispatch: Dispatch)] = []
    for ((request, body), result) in zip(bodies, results) {
      let work = request.work
      guard let attempt = try Attempts.begun(try result.get()) else { continue }
      let dispatch = Dispatch(
        work: work, attempt: attempt, body: body, deadline: loaded + (work.deadline - work.now))
      begun.append((request, dispatch))
    }
    return begun
  }
}

extension Work {
  var claim: Requests.Claim { Requests.Claim(id: id, token: token) }

  /// Also a request whose deadline passed while it lay in the queue.
  var isLate: Bool { late || deadline <= now }
}

extension Settings {
  /// The address of Apple's API for a request, without a path.
  func endpoint(_ work: Work) -> String {
    app(work.bundleId)?.endpoints[work.environment]?.url ?? work.environment.apiURL
  }
}
