internal import AppStore
internal import Decision
internal import PostgreSQL
internal import Store

/// A request whose customer consents, on its way to a decision.
struct Consenting: Sendable {
  let work: Work
  let customer: String
  let consent: ConsentProof
}

/// Adds up usage, judges the rules and composes the answer, once for each request.
struct Deciding: Sendable {
  enum Outcome: Sendable {
    /// To be stored, then sent; or, without a body, withheld by a rule.
    case decided(DecisionRecord)
    /// Usage may be readable soon, and there is time.
    case waits(Trouble)
    /// A rule leaves it to a person, and there is time.
    case review
    /// Rows may still arrive until then, and there is time.
    case settles(after: Duration)
    /// PostgreSQL refuses a value among its facts.
    case refused(error: String)
  }

  let settings: Settings
  let queries: Queries
  let batch: ReadOnlyBatch
  /// For a preview: as if no time were left to wait in.
  var isForced = false

  /// One outcome for each request, in their order.
  ///
  /// - Throws: when nothing could be asked at all.
  func decide(
    _ requests: [Consenting], on connection: inout Connection
  ) throws(PostgresError) -> [Outcome] {
    let windows = requests.map { request in
      Self.window(
        request.work, settles: queries.usage.settles(in: request.work.environment))
    }
    let readings = try read(requests, windows, on: &connection)
    var outcomes: [Outcome?] = requests.map { _ in nil }
    var judged: [Int] = []
    for (index, reading) in readings.enumerated() {
      outcomes[index] =
        mustDecide(requests[index].work, reading) ? nil : Self.wait(reading, requests[index])
      if outcomes[index] == nil { judged.append(index) }
    }
    let facts = judged.map { index in gather(requests[index].work, readings[index]) }
    let verdicts = try queries.rules.judge(facts, batch: batch, on: &connection)
    for (index, verdict) in zip(judged, verdicts) {
      switch verdict {
      case .success(let verdict):
        outcomes[index] = conclude(
          requests[index], windows[index], readings[index], verdict)
      case .failure(let error) where error.mayHeal:
        outcomes[index] = .waits(Trouble("the rules", error))
      case .failure(let error):
        outcomes[index] = .refused(error: "the facts cannot be computed: \(error.summary)")
      }
    }
    return outcomes.compactMap(\.self)
  }

  /// Later is not waited for: the decision is made with what is known.
  private func mustDecide(_ work: Work) -> Bool {
    isForced || work.now >= settings.deadline.decideAt(signedAt: work.signedAt, work.environment)
  }

  /// Who was not asked because others used up the time is asked again, as long as that can be in
  /// time: he is not to be told unknown for somebody else.
  private func mustDecide(_ work: Work, _ reading: UsageReader.Reading) -> Bool {
    mustDecide(work)
      && (isForced || !reading.wasNotAsked || work.alone || work.isLate)
  }

  private static func wait(_ reading: UsageReader.Reading, _ request: Consenting) -> Outcome? {
    if reading.wasNotAsked {
      return .waits(Trouble("others used up the time for queries", cause: .notAsked))
    }
    if reading.tookAllTime {
      return .waits(Trouble("usage: it used up the time for queries", cause: .tookAllTime))
    }
    if let error = reading.healing { return .waits(Trouble(error)) }
    if let settlesAt = reading.settlesAt { return .settles(after: settlesAt - request.work.now) }
    return nil
  }

  /// Where rows are waited for, usage is counted until the signed date of the request: an end that
  /// moved along with the clock would never settle.
  static func window(_ work: Work, settles: Bool) -> UsageWindow? {
    BillingPeriod(work.transaction).flatMap { period in
      UsageWindow(
        period, laterTransaction: work.laterPurchase,
        revokedAt: work.revocationDate ?? work.transaction.revocation?.date,
        now: settles ? min(work.signedAt, work.now) : work.now)
    }
  }

  private func read(
    _ requests: [Consenting], _ windows: [UsageWindow?], on connection: inout Connection
  ) throws(PostgresError) -> [UsageReader.Reading] {
    let questions = zip(requests, windows).map { request, window in
      UsageReader.Question(
        values: PurchaseValues(request.work.transaction).with(customer: request.customer),
        environment: request.work.environment, window: window, now: request.work.now)
    }
    return try queries.usage.read(
      questions, alone: requests.count == 1 && requests[0].work.alone, batch: batch,
      on: &connection)
  }

  private func gather(_ work: Work, _ reading: UsageReader.Reading) -> Facts {
    Facts.gather(
      transaction: work.transaction, reason: work.reason, signedAt: work.signedAt,
      position: position(work), deliveryStatus: settings.response.deliveryStatus,
      currency: settings.queries.usage?.currency, usage: reading.sources)
  }

  private func position(_ work: Work) -> PeriodPosition {
    PeriodPosition(
      work.transaction, renewal: work.renewal, laterTransactionIsKnown: work.laterPurchase != nil)
  }

  private func conclude(
    _ request: Consenting, _ window: UsageWindow?, _ reading: UsageReader.Reading,
    _ judged: Judged
  ) -> Outcome {
    let work = request.work
    let verdict = work.override.map { .overridden($0.choice, by: $0.person) } ?? judged.verdict
    let preference = settings.response.preference
    let choice = preference.choice(for: verdict, mayReview: !mustDecide(work))
    if choice == .review { return .review }
    let answer = ComposedAnswer(choice, settings.response, for: work.transaction)
    var rule: String?
    if case .matched(let index) = verdict { rule = preference.rules[index].name }
    let evidence = Evidence(
      transaction: work.transaction, reason: work.reason, signedAt: work.signedAt,
      position: position(work), consent: request.consent.evidence,
      usage: settings.queries.usage.map {
        UsageEvidence(window: window, currency: $0.currency, sources: reading.sources)
      },
      decision: DecisionEvidence(
        policy: settings.response, usedFacts: queries.rules.usedFacts, facts: judged.facts,
        verdict: verdict,
        wasLeftUndecided: preference.choice(for: verdict, mayReview: true) == .review,
        answer: answer))
    let record = DecisionRecord(
      customer: request.customer, consent: request.consent,
      period: BillingPeriod(work.transaction), position: position(work),
      transaction: work.transaction, currency: settings.queries.usage?.currency, judged: judged,
      rule: rule, preference: answer?.body.refundPreference, body: answer?.body.json,
      paragraph: Explanation.paragraph(evidence))
    return .decided(record)
  }
}
