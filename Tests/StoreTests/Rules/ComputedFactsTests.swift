import AppStore
import Decision
import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Computed facts") struct ComputedFactsTests {
  private let database: UserDatabase

  init() throws { database = try UserDatabase() }

  @Test(
    "The facts' JSON is exact: numbers as numbers, null for what does not apply, nothing for what is unknown"
  )
  func json() throws {
    var connection = try database.connect()
    let judged = try RuleTable.judge(
      [], try RuleTable.facts(cost: "14.2", quantity: "3", position: .unknown), on: &connection)
    // jsonb sorts by length, then by bytes.
    #expect(
      judged.json
        == #"{"cost": 14.2, "calls": 3, "price": 9.99, "reason": "OTHER", "elapsed": 0.1, "quantity": 1, "ownership": "PURCHASED", "calls_cost": 14.2, "cost_share": 1.4214214214214214, "free_trial": false, "offer_type": null, "product_id": "pro.monthly", "storefront": "USA", "asked_after": "3 days", "environment": "Production", "billing_plan": null, "product_type": "Auto-Renewable Subscription", "offer_discount": null, "price_currency": "USD", "delivery_status": "DELIVERED", "price_converted": 9.99, "billing_period_number": null, "total_billing_periods": null}"#,
      "\(judged.json)")
    #expect(judged.facts[.periodPosition] == .unknown)
    #expect(judged.facts[.billingPlan] == .notApplicable)
    #expect(judged.cost == "14.2")
  }

  @Test("What is unknown is absent and never 0") func unknown() throws {
    var connection = try database.connect()
    let judged = try RuleTable.judge(
      [], try RuleTable.facts(cost: nil, quantity: nil, currency: "EUR", ["price": nil]),
      on: &connection)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(judged.json.utf8)) as? [String: Any])
    for name in ["cost", "calls", "calls_cost", "price", "cost_share", "price_converted"] {
      #expect(object[name] == nil, "\(name)")
      #expect(judged.facts[FactName(rawValue: name)] == .unknown, "\(name)")
    }
    #expect(judged.cost == nil)
  }

  @Test("Without sources the cost is unknown") func noSources() throws {
    var connection = try database.connect()
    let judged = try RuleTable.judge(
      ["cost = 0"], try RuleTable.facts(usage: []), sources: [], on: &connection)
    #expect(judged.cost == nil)
    #expect(judged.verdict == .undecided(0))
  }

  @Test("Times are shares and intervals of exact instants") func times() throws {
    var connection = try database.connect()
    for (after, elapsed, asked) in [
      (Duration.zero, "0", "00:00:00"), (Purchases.day * 15, "0.5", "15 days"),
      (Purchases.day * 30, "1", "30 days"), (Purchases.day * 45, "1", "45 days"),
      (.seconds(90_061), "0.0347", "1 day 01:01:01"),
    ] {
      let judged = try RuleTable.judge(
        [], try RuleTable.facts(signedAt: Purchases.start + after), on: &connection)
      #expect(judged.facts[.elapsed]?.text?.hasPrefix(elapsed) == true, "\(after)")
      #expect(judged.facts[.askedAfter] == .known(asked), "\(after)")
    }
    let before = try RuleTable.judge(
      [], try RuleTable.facts(signedAt: Purchases.start - Purchases.day), on: &connection)
    #expect(before.facts[.askedAfter] == .unknown)
    let endless = try RuleTable.judge(
      [], try RuleTable.facts(["type": "\"Consumable\"", "expiresDate": nil]), on: &connection)
    #expect(endless.facts[.elapsed] == .notApplicable)
    let inverted = try RuleTable.judge(
      [], try RuleTable.facts(["expiresDate": "\(Purchases.start.milliseconds)"]), on: &connection)
    #expect(inverted.facts[.elapsed] == .unknown)
  }

  /// A number with up to `digits` digits after the point.
  private func random(
    _ range: ClosedRange<Int>, digits: Int, _ generator: inout some RandomNumberGenerator
  ) -> (text: String, value: Decimal) {
    let whole = Int.random(in: range, using: &generator)
    let fraction = (0..<Int.random(in: 1...digits, using: &generator)).map { _ in
      String(Int.random(in: 0...9, using: &generator))
    }.joined()
    let text = "\(whole).\(fraction)"
    return (text, Decimal(string: text) ?? .nan)
  }

  @Test("Sums and shares agree with decimals that were computed apart") func arithmetic() throws {
    var connection = try database.connect()
    var generator = Seeded(state: 20_261_130)
    let sources = try (0..<4).map {
      UsageSource(name: "s\($0)", measure: .query(try NamedQuery("SELECT 1, 1")))
    }
    let queries = try UserDatabase.compile(sources: sources, on: &connection)
    var facts: [Facts] = []
    var expected: [(sum: Decimal, price: Decimal)] = []
    for _ in 0..<60 {
      let costs = (0..<4).map { _ in random(0...1_000_000, digits: 9, &generator) }
      let milliunits = Int.random(in: 1...999_999_999, using: &generator)
      facts.append(
        try RuleTable.facts(
          usage: costs.enumerated().map {
            SourceUsage(source: "s\($0.offset)", quantity: "1", cost: $0.element.text)
          }, ["price": "\(milliunits)"]))
      expected.append(
        (costs.map(\.value).reduce(0, +), Decimal(milliunits) / 1000))
    }
    let judged = try queries.rules.judge(facts, batch: UserDatabase.batch, on: &connection)
    for (result, expected) in zip(judged, expected) {
      let judged = try result.get()
      #expect(judged.cost == "\(expected.sum)")
      #expect(judged.facts[.price]?.text == "\(expected.price)")
      let share = try #require(
        judged.facts[.costShare]?.text.flatMap { Decimal(string: $0) })
      let difference = share * expected.price - expected.sum
      #expect(abs(difference) <= expected.price / 10_000_000_000_000, "\(share)")
    }
  }

  @Test("Usage of random events agrees with decimals that were added apart") func events() throws {
    var connection = try database.connect()
    try connection.script(
      "CREATE TABLE event (customer bigint, at timestamptz, cost numeric, units numeric)")
    var generator = Seeded(state: 42)
    var sums: [(cost: Decimal, units: Decimal)] = []
    for customer in 1...20 {
      var sum = (cost: Decimal(0), units: Decimal(0))
      var rows: [String] = []
      for _ in 0..<50 {
        let cost = random(0...100, digits: 8, &generator)
        let units = random(0...10_000, digits: 3, &generator)
        let hour = Int.random(in: -100...820, using: &generator)
        if (0..<720).contains(hour) {
          sum.cost += cost.value
          sum.units += units.value
        }
        rows.append(
          "(\(customer), timestamptz '2026-11-01 00:00Z' + interval '\(hour) hours', \(cost.text), \(units.text))"
        )
      }
      try connection.script("INSERT INTO event VALUES \(rows.joined(separator: ","))")
      sums.append(sum)
    }
    let unitCost = try #require(ExactDecimal("0.00037"))
    let table = { (amount: EventsTable.Amount) in
      EventsTable(table: "event", customer: "customer", time: "at", amount: amount)
    }
    let queries = try UserDatabase.compile(
      sources: [
        UsageSource(name: "a", measure: .events(table(.cost(column: "cost")))),
        UsageSource(
          name: "b",
          measure: .events(table(.quantity(column: "units", unitCost: unitCost)))),
      ], on: &connection)
    let readings = try queries.usage.read(
      try (1...20).map { try .sample(customer: String($0)) }, alone: false,
      batch: UserDatabase.batch,
      on: &connection)
    for (reading, sum) in zip(readings, sums) {
      #expect(reading.sources[0].cost.text == "\(sum.cost)")
      #expect(reading.sources[1].quantity.text == "\(sum.units)")
      let price = try #require(Decimal(string: "0.00037"))
      #expect(reading.sources[1].cost.text == "\(sum.units * price)")
    }
  }
}

/// The same numbers in every run (SplitMix64).
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
