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
    case waits(error: String)
    /// PostgreSQL refuses a value among its facts.
    case refused(error: String)
  }

  let settings: Settings
  let queries: Queries
  let batch: ReadOnlyBatch

  /// One outcome for each request, in their order.
  ///
  /// - Throws: when nothing could be asked at all.
  func decide(
    _ requests: [Consenting], on connection: inout Connection
  ) throws(PostgresError) -> [Outcome] {
    let windows = requests.map { Self.window($0.work) }
    let readings = try read(requests, windows, on: &connection)
    var outcomes: [Outcome?] = requests.map { _ in nil }
    var judged: [Int] = []
    for (index, reading) in readings.enumerated() {
      if let error = reading.healing, !mustDecide(requests[index].work) {
        outcomes[index] = .waits(error: error)
      } else {
        judged.append(index)
      }
    }
    let facts = judged.map { index in gather(requests[index].work, readings[index]) }
    let verdicts = try queries.rules.judge(facts, batch: batch, on: &connection)
    for (index, verdict) in zip(judged, verdicts) {
      switch verdict {
      case .success(let verdict):
        outcomes[index] = .decided(
          record(requests[index], windows[index], readings[index], verdict))
      case .failure(let error) where error.mayHeal:
        outcomes[index] = .waits(error: "the rules: \(error.summary)")
      case .failure(let error):
        outcomes[index] = .refused(error: "the facts cannot be computed: \(error.summary)")
      }
    }
    return outcomes.compactMap(\.self)
  }

  /// Later is not waited for: the decision is made with what is known.
  private func mustDecide(_ work: Work) -> Bool {
    work.now >= settings.deadline.decideAt(signedAt: work.signedAt, work.environment)
  }

  static func window(_ work: Work) -> UsageWindow? {
    BillingPeriod(work.transaction).flatMap { period in
      UsageWindow(
        period, laterTransaction: work.laterPurchase,
        revokedAt: work.revocationDate ?? work.transaction.revocation?.date, now: work.now)
    }
  }

  private func read(
    _ requests: [Consenting], _ windows: [UsageWindow?], on connection: inout Connection
  ) throws(PostgresError) -> [UsageReader.Reading] {
    let asked = requests.indices.filter { windows[$0] != nil }
    let purchases = asked.map { index in
      let purchase = PurchaseValues(requests[index].work.transaction)
        .with(customer: requests[index].customer)
      return windows[index].map(purchase.with) ?? purchase
    }
    let found = try queries.usage.read(purchases, batch: batch, on: &connection)
    var readings = requests.map { _ in queries.usage.withoutWindow }
    for (index, reading) in zip(asked, found) { readings[index] = reading }
    return readings
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

  private func record(
    _ request: Consenting, _ window: UsageWindow?, _ reading: UsageReader.Reading,
    _ judged: Judged
  ) -> DecisionRecord {
    let work = request.work
    let preference = settings.response.preference
    let answer = ComposedAnswer(
      preference.choice(for: judged.verdict), settings.response, for: work.transaction)
    var rule: String?
    if case .matched(let index) = judged.verdict { rule = preference.rules[index].name }
    let evidence = Evidence(
      transaction: work.transaction, reason: work.reason, signedAt: work.signedAt,
      position: position(work), consent: request.consent.evidence,
      usage: settings.queries.usage.map {
        UsageEvidence(window: window, currency: $0.currency, sources: reading.sources)
      },
      decision: DecisionEvidence(
        policy: settings.response, usedFacts: queries.rules.usedFacts, facts: judged.facts,
        verdict: judged.verdict, answer: answer))
    return DecisionRecord(
      customer: request.customer, consent: request.consent,
      period: BillingPeriod(work.transaction), position: position(work),
      transaction: work.transaction, currency: settings.queries.usage?.currency, judged: judged,
      rule: rule, preference: answer?.body.refundPreference, body: answer?.body.json,
      paragraph: Explanation.paragraph(evidence))
  }
}
