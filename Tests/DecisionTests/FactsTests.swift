import AppStore
import Decision
import Testing

@Suite("Facts") struct FactsTests {
  private func gather(
    _ transaction: Transaction, reason: String? = "OTHER", signedAt: Instant = Samples.signedAt,
    currency: String? = "USD", usage: [SourceUsage] = []
  ) -> Facts {
    Facts.gather(
      transaction: transaction, reason: reason, signedAt: signedAt, position: .current,
      deliveryStatus: .delivered, currency: currency, usage: usage)
  }

  @Test("an ordinary month") func ordinary() throws {
    let facts = gather(
      try Samples.transaction(),
      usage: [SourceUsage(source: "calls", quantity: "300", cost: "15.00")])
    #expect(
      facts.values == [
        .reason: .known("OTHER"),
        .productId: .known("pro.monthly"),
        .productType: .known("Auto-Renewable Subscription"),
        .environment: .known("Production"),
        .storefront: .known("USA"),
        .ownership: .known("PURCHASED"),
        .quantity: .known("1"),
        .periodPosition: .known("current"),
        .billingPlan: .notApplicable,
        .billingPeriodNumber: .notApplicable,
        .totalBillingPeriods: .notApplicable,
        .offerType: .notApplicable,
        .offerDiscount: .notApplicable,
        .freeTrial: .known("false"),
        .deliveryStatus: .known("DELIVERED"),
        .priceCurrency: .known("USD"),
        FactName(rawValue: "calls"): .known("300"),
        FactName(rawValue: "calls_cost"): .known("15.00"),
      ])
    #expect(
      facts.derived == [
        .cost: .known, .price: .known, .priceConverted: .known, .costShare: .known,
        .elapsed: .known, .askedAfter: .known,
      ])
    #expect(facts.costs == [.known("15.00")])
    #expect(facts.priceMilliunits == 9990)
    #expect(facts.period == BillingPeriod(start: Samples.start, end: Samples.end))
  }

  @Test("a source of another environment does not apply: the cost is the others'") func elsewhere()
    throws
  {
    let usage = [
      SourceUsage(notApplicable: "calls"), SourceUsage(source: "gpu", quantity: "2", cost: "3"),
    ]
    let facts = gather(try Samples.transaction(), usage: usage)
    #expect(facts.status(of: FactName(rawValue: "calls")) == .notApplicable)
    #expect(facts.status(of: FactName(rawValue: "calls_cost")) == .notApplicable)
    #expect(facts.status(of: .cost) == .known)
    #expect(facts.costs == [.known("3")])
    // Of no source that applies nothing is known: not 0.
    let none = gather(try Samples.transaction(), usage: [SourceUsage(notApplicable: "calls")])
    #expect(none.status(of: .cost) == .unknown)
  }

  @Test("every fact of the table is gathered or derived, and no other") func complete() throws {
    let usage = ["a", "b"].map { SourceUsage(source: $0, quantity: "1", cost: "1") }
    let facts = gather(try Samples.transaction(), usage: usage)
    let table = FactTable(sources: ["a", "b"]).definitions.map(\.name)
    #expect(Set(table).count == table.count)
    #expect((Array(facts.values.keys) + Array(facts.derived.keys)).sorted() == table.sorted())
    #expect(Set(table).isDisjoint(with: FactName.notBuiltYet))
  }

  @Test("types of facts") func types() {
    let table = FactTable(sources: ["calls"])
    #expect(table.type(of: .cost) == .numeric)
    #expect(table.type(of: .askedAfter) == .interval)
    #expect(table.type(of: .freeTrial) == .boolean)
    #expect(table.type(of: .billingPeriodNumber) == .integer)
    #expect(table.type(of: FactName(rawValue: "calls")) == .numeric)
    #expect(table.type(of: FactName(rawValue: "calls_cost")) == .numeric)
    #expect(table.type(of: .earlierRefunds) == nil)
  }

  @Test(
    "A-23: what Apple leaves out is unknown, or does not apply",
    arguments: [
      ("price", .price, .unknown), ("price", .priceConverted, .unknown),
      ("price", .costShare, .unknown), ("currency", .priceCurrency, .unknown),
      ("currency", .priceConverted, .unknown), ("currency", .costShare, .unknown),
      ("currency", .price, .known), ("price", .cost, .known),
      ("storefront", .storefront, .unknown), ("inAppOwnershipType", .ownership, .unknown),
      ("quantity", .quantity, .unknown), ("expiresDate", .elapsed, .unknown),
      ("expiresDate", .askedAfter, .known),
    ] as [(String, FactName, FactStatus)])
  func absent(key: String, fact: FactName, status: FactStatus) throws {
    let facts = gather(
      try Samples.transaction([key: nil]),
      usage: [SourceUsage(source: "calls", quantity: "1", cost: "1")])
    #expect(facts.status(of: fact) == status)
  }

  @Test("C-12: no reason is not applicable, a new reason is kept") func reasons() throws {
    #expect(gather(try Samples.transaction(), reason: nil).values[.reason] == .notApplicable)
    #expect(gather(try Samples.transaction(), reason: "X").values[.reason] == .known("X"))
  }

  @Test("an unknown name is unknown") func unknownName() throws {
    #expect(
      gather(try Samples.transaction()).status(of: FactName(rawValue: "nothing")) == .unknown)
  }

  struct Money: Sendable {
    var costs: [String?] = ["1.50"]
    var price: String? = "9990"
    var currency: String? = "USD"
    var cost: FactStatus = .known
    var converted: FactStatus = .known
    let share: FactStatus
  }

  @Test(
    "unknown money spreads, and is never 0",
    arguments: [
      Money(share: .known),
      Money(costs: ["0", "0"], share: .known),
      Money(costs: [], cost: .unknown, share: .unknown),
      Money(costs: ["1", nil], cost: .unknown, share: .unknown),
      Money(costs: ["NaN"], cost: .unknown, share: .unknown),
      Money(costs: ["1", "Infinity"], cost: .unknown, share: .unknown),
      Money(costs: ["-Infinity"], cost: .unknown, share: .unknown),
      Money(currency: "EUR", converted: .unknown, share: .unknown),
      Money(currency: nil, converted: .unknown, share: .unknown),
      Money(price: nil, converted: .unknown, share: .unknown),
      Money(price: "0", share: .notApplicable),
      Money(costs: [nil], price: "0", cost: .unknown, share: .notApplicable),
    ])
  func money(_ example: Money) throws {
    let usage = example.costs.enumerated().map { index, cost in
      SourceUsage(source: "s\(index)", quantity: "1", cost: cost)
    }
    let facts = gather(
      try Samples.transaction(["price": example.price]), currency: example.currency, usage: usage)
    #expect(facts.derived[.cost] == example.cost)
    #expect(facts.derived[.priceConverted] == example.converted)
    #expect(facts.derived[.costShare] == example.share)
    #expect(facts.derived[.price] == (example.price == nil ? .unknown : .known))
  }

  @Test("a source that cannot tell is unknown in both facts") func ignorance() throws {
    let facts = gather(
      try Samples.transaction(), usage: [SourceUsage(source: "calls", unknown: .timeout)])
    #expect(facts.values[.quantity(of: "calls")] == .unknown)
    #expect(facts.values[.cost(of: "calls")] == .unknown)
    #expect(facts.derived[.cost] == .unknown)
  }

  @Test(
    "numbers from PostgreSQL",
    arguments: [
      ("0", true), ("-1.5", true), ("14.20", true), ("1e10", true), ("1.5E-7", true),
      ("1e+3", true), ("NaN", false), ("nan", false), ("Infinity", false), ("-inf", false),
      ("", false), ("1.", false), ("1e", false), ("--1", false), (nil, false),
    ] as [(String?, Bool)])
  func numbers(text: String?, isKnown: Bool) {
    #expect(FactValue.number(text) == (isKnown ? text.map(FactValue.known) : .unknown))
  }

  @Test("elapsed and asked_after") func time() throws {
    let consumable = gather(try Samples.consumable())
    #expect(consumable.derived[.elapsed] == .notApplicable)
    let inverted = gather(
      try Samples.transaction(["expiresDate": "\(Samples.start.milliseconds - 1)"]))
    #expect(inverted.derived[.elapsed] == .unknown)
    let before = gather(try Samples.transaction(), signedAt: Samples.start - .seconds(1))
    #expect(before.derived[.askedAfter] == .unknown)
    #expect(
      gather(try Samples.transaction(), signedAt: Samples.start).derived[.askedAfter] == .known)
  }

  @Test(
    "offers in Apple's words",
    arguments: [
      ("1", "INTRODUCTORY"), ("2", "PROMOTIONAL"), ("3", "CODE"), ("4", "WIN_BACK"), ("5", "5"),
    ])
  func offers(number: String, word: String) throws {
    let facts = gather(
      try Samples.transaction(["offerType": number, "offerDiscountType": "\"FREE_TRIAL\""]))
    #expect(facts.values[.offerType] == .known(word))
    #expect(facts.values[.offerDiscount] == .known("FREE_TRIAL"))
    #expect(facts.values[.freeTrial] == .known("true"))
  }

  @Test("B-17: a commitment's period, and one that does not say it") func commitment() throws {
    let third = gather(
      try Samples.transaction([
        "billingPlanType": "\"MONTHLY\"",
        "commitmentInfo": "{\"billingPeriodNumber\":3,\"totalBillingPeriods\":12}",
      ]))
    #expect(third.values[.billingPlan] == .known("MONTHLY"))
    #expect(third.values[.billingPeriodNumber] == .known("3"))
    #expect(third.values[.totalBillingPeriods] == .known("12"))
    let silent = gather(try Samples.transaction(["commitmentInfo": "{}"]))
    #expect(silent.values[.billingPeriodNumber] == .unknown)
  }
}
