import AppStore
import Decision
import Testing

@Suite("Explanations") struct ExplanationTests {
  private let asked =
    "Apple reported on 2026-11-30 20:04:41 UTC that the customer had asked for a refund of "
    + "“pro.monthly” (Auto-Renewable Subscription, transaction 700000000001), with the reason "
    + "UNINTENDED_PURCHASE. It had been bought on 2026-11-18 20:04:41 UTC for 9.99 USD, for the "
    + "time until 2026-12-18 20:04:41 UTC, the newest billing period. "

  private func evidence(_ transaction: Transaction) -> Evidence {
    Evidence(
      transaction: transaction, reason: "UNINTENDED_PURCHASE", signedAt: Samples.signedAt,
      position: .current)
  }

  private func usage(_ sources: [SourceUsage]) -> UsageEvidence {
    UsageEvidence(
      window: UsageWindow(
        BillingPeriod(start: Samples.start, end: Samples.end), laterTransaction: nil,
        revokedAt: nil, now: Samples.signedAt),
      currency: "USD", sources: sources)
  }

  private let rules = [
    Rule(name: "never used", when: "cost = 0", prefer: .grantFull),
    Rule(name: "commitment", when: "billing_plan = 'MONTHLY'", prefer: .noAnswer),
    Rule(name: "heavy", when: "cost_share >= 0.5\n OR calls >= 300", prefer: .decline),
    Rule(name: "late", when: "elapsed > 0.9", prefer: .none),
  ]

  private let used: [[FactName]] = [
    [.cost], [.billingPlan], [.costShare, FactName(rawValue: "calls")], [.elapsed],
  ]

  private func decision(
    _ verdict: RuleVerdict, facts: [FactName: FactValue], for transaction: Transaction,
    delivery: DeliveryStatus = .delivered, rules: [Rule]? = nil
  ) -> DecisionEvidence {
    let policy = ResponsePolicy(
      sampleContentProvided: false, deliveryStatus: delivery,
      preference: PreferencePolicy(rules: rules ?? self.rules, whenUnknown: .none))
    return DecisionEvidence(
      policy: policy, usedFacts: used, facts: facts, verdict: verdict,
      answer: ComposedAnswer(
        policy.preference.choice(for: verdict, mayReview: true), policy, for: transaction))
  }

  @Test("a whole story, word for word") func whole() throws {
    let transaction = try Samples.transaction()
    var evidence = evidence(transaction)
    evidence.consent = ConsentEvidence(
      givenAt: Samples.start - .seconds(3600), source: "settings", version: "3")
    evidence.usage = usage([SourceUsage(source: "calls", quantity: "300", cost: "15.00")])
    evidence.decision = decision(
      .matched(2),
      facts: [
        .cost: .known("15.00"), .billingPlan: .notApplicable, .costShare: .known("1.5015"),
        FactName(rawValue: "calls"): .known("300"),
      ], for: transaction)
    #expect(
      Explanation.paragraph(evidence) == asked
        + "The customer's consent was on record: given on 2026-11-18 19:04:41 UTC, source "
        + "“settings”, wording “3”. "
        + "Usage from 2026-11-18 20:04:41 UTC until 2026-11-30 20:04:41 UTC cost 15.00 USD: calls "
        + "quantity 300, cost 15.00 USD. "
        + "Rule “never used” (cost = 0) did not match: cost was 15.00 USD. "
        + "Rule “commitment” (billing_plan = 'MONTHLY') did not match: billing_plan did not apply. "
        + "Rule “heavy” (cost_share >= 0.5 OR calls >= 300) matched: cost_share was 1.5015, calls "
        + "was 300. "
        + "By this rule, the answer was prepared with the preference to decline the refund "
        + "(DECLINE), delivery status DELIVERED, and sample content not provided.")
  }

  @Test("what had not been reached is not spoken of") func short() throws {
    #expect(
      Explanation.paragraph(evidence(try Samples.transaction())) + " " == asked)
  }

  @Test("what is unknown is said, and why") func unknown() throws {
    let transaction = try Samples.transaction()
    var evidence = evidence(transaction)
    evidence.consent = ConsentEvidence()
    evidence.usage = usage([
      SourceUsage(source: "calls", quantity: "3", cost: nil),
      SourceUsage(source: "storage", unknown: .hiddenRows),
      SourceUsage(source: "audio", unknown: .error(sqlState: "42P01")),
    ])
    evidence.decision = decision(.undecided(0), facts: [.cost: .unknown], for: transaction)
    #expect(
      Explanation.paragraph(evidence) == asked
        + "The customer's consent was on record. "
        + "Usage from 2026-11-18 20:04:41 UTC until 2026-11-30 20:04:41 UTC had an unknown cost: "
        + "calls quantity 3, cost unknown (a value was missing or was no finite number); storage "
        + "unknown (row-level security would have hidden rows); audio unknown (the query failed "
        + "with SQLSTATE 42P01). "
        + "Rule “never used” (cost = 0) could not be decided: cost was unknown. What is unknown "
        + "selects no rule. For what is unknown, the answer was prepared with no refund "
        + "preference, delivery status DELIVERED, and sample content not provided.")
  }

  private func ending(
    _ verdict: RuleVerdict, _ transaction: Transaction, delivery: DeliveryStatus = .delivered,
    rules: [Rule]? = nil
  ) -> String {
    var evidence = evidence(transaction)
    evidence.decision = decision(
      verdict, facts: [.cost: .known("0")], for: transaction, delivery: delivery, rules: rules)
    return Explanation.paragraph(evidence)
  }

  @Test("how decisions end") func endings() throws {
    let subscription = try Samples.transaction()
    #expect(
      ending(.matched(1), subscription).hasSuffix(
        "matched: billing_plan was unknown. By this rule, no answer was to be sent."))
    #expect(
      ending(.otherwise, subscription, rules: []).hasSuffix(
        "There were no rules. As no rule matched, the answer was prepared with no refund "
          + "preference, delivery status DELIVERED, and sample content not provided."))
    #expect(
      ending(.failed(message: "division\nby zero"), subscription).hasSuffix(
        "The rules could not be evaluated (division by zero), so no preference was chosen. After "
          + "the error, the answer was prepared with no refund preference, delivery status "
          + "DELIVERED, and sample content not provided."))
    let prorated = [Rule(name: "half", when: "cost = 0", prefer: .grantProrated)]
    #expect(
      ending(.matched(0), try Samples.consumable(), rules: prorated).hasSuffix(
        "GRANT_PRORATED was left out: for this product type Apple takes it only together with a "
          + "consumption percentage, which was not known."))
    #expect(
      ending(
        .matched(0), try Samples.consumable(), delivery: .undeliveredOther, rules: prorated
      ).hasSuffix(
        "GRANT_PRORATED was left out: for this product type Apple takes it only for what was "
          + "delivered."))
  }

  @Test("charges as Apple states them, or does not") func charges() throws {
    let cases: [([String: String?], String)] = [
      (["price": "10000"], "for 10.00 USD, for the time until"),
      (["price": "1", "currency": "\"JPY\""], "for 0.001 JPY, for"),
      (["price": "0"], "for 0.00 USD, for"),
      (["price": "9223372036854775807"], "for 9223372036854775.807 USD, for"),
      (["price": nil], "UTC; Apple stated no price, for"),
      (["expiresDate": nil], "for 9.99 USD, and its dates did not make a billing period."),
      (["type": "\"Consumable\"", "expiresDate": nil], "for 9.99 USD, without an end."),
      (["environment": "\"Sandbox\""], "transaction 700000000001) in the Sandbox, with"),
      (
        ["commitmentInfo": "{\"billingPeriodNumber\":3,\"totalBillingPeriods\":12}"],
        "UTC (billing period 3 of 12), the newest billing period."
      ),
    ]
    for (changes, part) in cases {
      let paragraph = Explanation.paragraph(evidence(try Samples.transaction(changes)))
      #expect(paragraph.contains(part), "\(paragraph)")
    }
  }

  @Test("foreign words stay on the line and do not run on") func foreignWords() throws {
    var evidence = evidence(try Samples.transaction(["productId": "\"a\\nb\\u001b[31m\""]))
    evidence.reason = String(repeating: "x", count: 5000)
    let paragraph = Explanation.paragraph(evidence)
    #expect(paragraph.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(paragraph.contains("“a b [31m”"))
    #expect(paragraph.count < 800)
  }
}
