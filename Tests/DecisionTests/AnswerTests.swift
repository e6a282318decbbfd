import AppStore
import Decision
import Testing

@Suite("Answers") struct AnswerTests {
  private func policy(
    _ delivery: DeliveryStatus = .delivered, sample: Bool = false,
    preference: PreferencePolicy = PreferencePolicy()
  ) -> ResponsePolicy {
    ResponsePolicy(
      sampleContentProvided: sample, deliveryStatus: delivery, preference: preference)
  }

  struct Case: Sendable {
    let choice: Choice
    var type = "Auto-Renewable Subscription"
    var delivery: DeliveryStatus = .delivered
    /// Nil: nothing is sent.
    let body: String?
    var notes: [ComposedAnswer.Note] = []
  }

  private static func body(_ preference: String? = nil, _ delivery: String = "DELIVERED") -> String
  {
    let middle = preference.map { "\"refundPreference\":\"\($0)\"," } ?? ""
    return "{\"customerConsented\":true,\"deliveryStatus\":\"\(delivery)\",\(middle)"
      + "\"sampleContentProvided\":false}"
  }

  @Test(
    "A-01, B-14: the bytes for every choice and product type",
    arguments: [
      Case(choice: .none, body: body()),
      Case(choice: .decline, body: body("DECLINE")),
      Case(choice: .grantFull, body: body("GRANT_FULL")),
      Case(choice: .grantProrated, body: body("GRANT_PRORATED")),
      Case(choice: .noAnswer, body: nil),
      Case(
        choice: .grantProrated, delivery: .undeliveredOther,
        body: body("GRANT_PRORATED", "UNDELIVERED_OTHER")),
      Case(choice: .none, type: "Consumable", body: body()),
      Case(choice: .decline, type: "Non-Consumable", body: body("DECLINE")),
      Case(choice: .grantFull, type: "Non-Renewing Subscription", body: body("GRANT_FULL")),
      Case(
        choice: .grantProrated, type: "Consumable", body: body(),
        notes: [.proratedWithoutPercentage]),
      Case(
        choice: .grantProrated, type: "Consumable", delivery: .undeliveredServerOutage,
        body: body(nil, "UNDELIVERED_SERVER_OUTAGE"), notes: [.proratedUndelivered]),
      Case(choice: .noAnswer, type: "Consumable", body: nil),
      // A type that is new: the stricter rule.
      Case(
        choice: .grantProrated, type: "Lease", body: body(), notes: [.proratedWithoutPercentage]),
      Case(choice: .decline, type: "Lease", body: body("DECLINE")),
    ])
  func compose(_ example: Case) throws {
    let transaction = try Samples.transaction(["type": "\"\(example.type)\""])
    let answer = ComposedAnswer(example.choice, policy(example.delivery), for: transaction)
    #expect(answer?.body.json == example.body)
    #expect(answer?.notes ?? [] == example.notes)
    #expect(answer?.body.consumptionPercentage == nil)
  }

  @Test("what a verdict leads to") func choices() {
    let preference = PreferencePolicy(
      rules: [
        Rule(name: "a", when: "true", prefer: .decline),
        Rule(name: "b", when: "true", prefer: .noAnswer),
      ], otherwise: .grantFull, whenUnknown: .grantProrated)
    #expect(preference.choice(for: .matched(0), mayReview: true) == .decline)
    #expect(preference.choice(for: .matched(1), mayReview: true) == .noAnswer)
    #expect(preference.choice(for: .otherwise, mayReview: true) == .grantFull)
    #expect(preference.choice(for: .undecided(0), mayReview: true) == .grantProrated)
    #expect(preference.choice(for: .failed(message: "division by zero"), mayReview: true) == .none)
  }

  @Test("review is for a person as long as there is time, then it counts as unknown")
  func review() {
    let preference = PreferencePolicy(
      rules: [Rule(name: "a", when: "true", prefer: .review)], otherwise: .review,
      whenUnknown: .noAnswer)
    for verdict in [RuleVerdict.matched(0), .otherwise] {
      #expect(preference.choice(for: verdict, mayReview: true) == .review)
      #expect(preference.choice(for: verdict, mayReview: false) == .noAnswer)
    }
    let unknown = PreferencePolicy(whenUnknown: .review)
    #expect(unknown.choice(for: .undecided(0), mayReview: true) == .review)
    #expect(unknown.choice(for: .undecided(0), mayReview: false) == .none)
    // A person's word goes before the rules, with time or without.
    for mayReview in [true, false] {
      #expect(
        preference.choice(for: .overridden(.grantFull, by: "ann"), mayReview: mayReview)
          == .grantFull)
    }
  }

  @Test(
    "which words a rule mentions",
    arguments: [
      ("earlier_requests > 2", true), ("(EARLIER_REQUESTS)>2", true),
      ("\"earlier_requests\" = 0", true), ("earlier_requests_x > 2", false),
      ("x_earlier_requests > 2", false), ("cost > 2", false),
    ])
  func mentions(when: String, mentioned: Bool) {
    let rule = Rule(name: "a", when: when, prefer: .none)
    #expect(rule.mentions(.earlierRequests) == mentioned)
  }

  @Test(
    "exact decimals",
    arguments: [
      ("0.0004", true), ("-1", true), ("12345678901234567890.5", true), ("0", true), (".5", false),
      ("5.", false), ("1e5", false), ("NaN", false), ("", false), ("-", false), ("1,5", false),
      ("١", false),
    ])
  func decimals(text: String, isDecimal: Bool) {
    #expect((ExactDecimal(text) != nil) == isDecimal)
    #expect(ExactDecimal(text)?.text == (isDecimal ? text : nil))
  }

  @Test("the sign of a decimal") func signs() {
    #expect(ExactDecimal("-0.1")?.isNegative == true)
    #expect(ExactDecimal("-0.00")?.isNegative == false)
    #expect(ExactDecimal("0.1")?.isNegative == false)
  }
}
