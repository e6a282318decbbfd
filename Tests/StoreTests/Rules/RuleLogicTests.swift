import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

/// A fact is known, not applicable or unknown, and what is unknown never decides.
@Suite("Judging rules") struct RuleLogicTests {
  private let database: UserDatabase

  init() throws { database = try UserDatabase() }

  @Test("With an unknown cost a rule decides only where no cost could change it") func unknownCost()
    throws
  {
    var connection = try database.connect()
    // The reason is OTHER, the price 9.99.
    for (rule, verdict) in [
      ("cost > 5", .undecided(0)), ("cost > 5 OR reason = 'OTHER'", .matched(0)),
      ("reason = 'OTHER' OR cost > 5", .matched(0)),
      ("cost > 5 OR reason = 'LEGAL'", .undecided(0)),
      ("cost > 5 AND reason = 'LEGAL'", .otherwise),
      ("cost > 5 AND reason = 'OTHER'", .undecided(0)),
      ("NOT (cost > 5)", .undecided(0)), ("NOT (cost > 5 AND reason = 'LEGAL')", .matched(0)),
      // What would turn the unknown into a value is not even asked.
      ("coalesce(cost, 0) = 0", .undecided(0)), ("cost IS NULL", .undecided(0)),
      ("cost IS NOT NULL", .undecided(0)), ("cost IS DISTINCT FROM 5", .undecided(0)),
      ("cost IS NOT DISTINCT FROM 5", .undecided(0)), ("(cost > 5) IS TRUE", .undecided(0)),
      ("(cost > 5) IS NOT TRUE", .undecided(0)), ("(cost > 5) IS UNKNOWN", .undecided(0)),
      ("CASE WHEN cost > 5 THEN false ELSE true END", .undecided(0)),
      ("CASE WHEN reason = 'OTHER' THEN true ELSE cost > 5 END", .undecided(0)),
      ("nullif(cost, 5) IS NULL", .undecided(0)), ("greatest(cost, 7) > 5", .undecided(0)),
      ("least(cost, 3) < 5", .undecided(0)), ("num_nulls(cost) = 1", .undecided(0)),
      ("ROW(cost, 1) IS NULL", .undecided(0)),
      ("ROW(cost, 1) = ROW(2, 1)", .undecided(0)),
      ("ARRAY[cost] = ARRAY[5::numeric]", .undecided(0)),
      ("5 IN (cost, 5)", .matched(0)), ("6 IN (cost, 5)", .undecided(0)),
      ("coalesce(cost, 0) = 0 OR reason = 'OTHER'", .undecided(0)),
      // These pass the unknown on.
      ("cost BETWEEN 1 AND 9", .undecided(0)), ("cost NOT BETWEEN 1 AND 9", .undecided(0)),
      ("cost IN (1, 2, 3)", .undecided(0)), ("cost NOT IN (1, 2, 3)", .undecided(0)),
      ("round(cost) = 5", .undecided(0)), ("cost::text = '5'", .undecided(0)),
      ("cost = ANY ('{1,2}')", .undecided(0)), ("cost + price > 5", .undecided(0)),
      ("cost_share > 0.5", .undecided(0)), ("calls_cost > 5", .undecided(0)),
      // And these use other facts.
      ("price > 5", .matched(0)), ("coalesce(price, 0) = 0", .otherwise),
      ("reason IS NULL", .otherwise), ("reason IN ('OTHER', 'LEGAL')", .matched(0)),
      ("reason NOT IN ('LEGAL')", .matched(0)), ("calls = 10", .matched(0)), ("NULL", .otherwise),
    ] as [(String, RuleVerdict)] {
      let judged = try RuleTable.judge(
        [rule], try RuleTable.facts(cost: nil), on: &connection)
      #expect(judged.verdict == verdict, "\(rule)")
    }
  }

  @Test("With a known cost the same rules decide") func knownCost() throws {
    var connection = try database.connect()
    for (rule, matches) in [
      ("cost > 4", true), ("cost > 5", false), ("coalesce(cost, 0) = 5", true),
      ("cost IS NULL", false), ("cost IS DISTINCT FROM 6", true), ("cost BETWEEN 5 AND 5", true),
      ("CASE WHEN cost > 4 THEN true ELSE false END", true), ("cost IN (1, 5)", true),
      ("greatest(cost, 7) = 7", true), ("cost = 5.0000", true),
    ] {
      let judged = try RuleTable.judge([rule], try RuleTable.facts(), on: &connection)
      #expect(judged.verdict == (matches ? .matched(0) : .otherwise), "\(rule)")
    }
  }

  @Test("What does not apply is null, and the rule goes on") func notApplicable() throws {
    var connection = try database.connect()
    let facts = try RuleTable.facts(reason: nil)
    for (rule, verdict) in [
      ("reason = 'OTHER'", .otherwise), ("reason IS NULL", .matched(0)),
      ("coalesce(reason, 'none') = 'none'", .matched(0)), ("reason NOT IN ('OTHER')", .otherwise),
      ("offer_type = 'CODE'", .otherwise), ("billing_plan IS NULL", .matched(0)),
      ("reason = 'OTHER' OR cost = 5", .matched(0)),
    ] as [(String, RuleVerdict)] {
      #expect(try RuleTable.judge([rule], facts, on: &connection).verdict == verdict, "\(rule)")
    }
    let free = try RuleTable.facts(["price": "0"])
    #expect(try RuleTable.judge(["cost_share > 1"], free, on: &connection).verdict == .otherwise)
    #expect(
      try RuleTable.judge(["cost_share IS NULL"], free, on: &connection).verdict == .matched(0))
  }

  @Test("The first true rule decides, the first undecided one ends the search") func order() throws
  {
    var connection = try database.connect()
    let known = try RuleTable.facts()
    let unknown = try RuleTable.facts(cost: nil)
    for (rules, facts, verdict) in [
      (["false", "cost = 5", "true"], known, .matched(1)),
      (["false", "cost = 6"], known, .otherwise),
      ([], known, .otherwise), (["cost = 6", "true"], unknown, .undecided(0)),
      (["true", "cost = 6"], unknown, .matched(0)),
      (["reason = 'LEGAL'", "cost > 1", "true"], unknown, .undecided(1)),
      (["cost > 1 AND reason = 'LEGAL'", "true"], unknown, .matched(1)),
      (["reason = 'LEGAL'", "coalesce(cost, 0) = 0", "true"], unknown, .undecided(1)),
    ] as [([String], Facts, RuleVerdict)] {
      #expect(
        try RuleTable.judge(rules, facts, on: &connection).verdict == verdict, "\(rules)")
    }
  }

  @Test("A rule that divides by zero fails, and the facts are kept") func division() throws {
    var connection = try database.connect()
    let facts = try RuleTable.facts(["price": "0"])
    let judged = try RuleTable.judge(["cost / price > 1", "true"], facts, on: &connection)
    guard case .failed(let message) = judged.verdict else {
      Issue.record("\(judged.verdict)")
      return
    }
    #expect(message.contains("22012"))
    #expect(judged.cost == "5")
    #expect(judged.facts[.price] == .known("0"))
    // A rule before it that is true, and a condition that keeps it away, are asked first.
    #expect(
      try RuleTable.judge(["cost = 5", "cost / price > 1"], facts, on: &connection).verdict
        == .matched(0))
    #expect(
      try RuleTable.judge(["price > 0 AND cost / price > 1"], facts, on: &connection).verdict
        == .otherwise)
  }

  @Test("One request's facts that PostgreSQL refuses do not stop the others") func poison() throws {
    var connection = try database.connect()
    let queries = try UserDatabase.compile(
      sources: [RuleTable.calls], rules: RuleTable.rules(["cost = 5"]), on: &connection)
    let results = try queries.rules.judge(
      [
        // The second is a number, and more than a numeric holds.
        try RuleTable.facts(), try RuleTable.facts(cost: "1e200000"),
        try RuleTable.facts(cost: "6"),
      ], batch: UserDatabase.batch, on: &connection)
    #expect(try results[0].get().verdict == .matched(0))
    #expect(throws: PostgresError.self) { try results[1].get() }
    #expect(try results[2].get().verdict == .otherwise)
  }

  @Test("A rule means the same under every role's settings") func settings() throws {
    let role = try database.role(
      """
      ALTER ROLE $ SET IntervalStyle = 'sql_standard'; ALTER ROLE $ SET DateStyle = 'German';
      ALTER ROLE $ SET TimeZone = 'Asia/Tokyo'; ALTER ROLE $ SET search_path = 'evil';
      ALTER ROLE $ SET standard_conforming_strings = off; ALTER ROLE $ SET extra_float_digits = -15;
      """)
    for (rule, verdict) in [
      // sql_standard writes it as '-1 +2:00:00', which postgres reads as another interval.
      ("asked_after + interval '-1 days -2 hours' = interval '2 days -2 hours'", .matched(0)),
      ("interval '-1 days -2 hours' < interval '-1 day'", .matched(0)),
      ("date '01-02-2026' = date '2026-01-02'", .matched(0)),
      ("reason ~ '^O.H\\w+$'", .matched(0)),
      ("0.1::float8 + 0.2::float8 > 0.3::float8", .matched(0)),
    ] as [(String, RuleVerdict)] {
      var plain = try database.connect()
      var twisted = try database.connect(as: role)
      let facts = try RuleTable.facts()
      #expect(try RuleTable.judge([rule], facts, on: &plain).verdict == verdict, "\(rule)")
      #expect(try RuleTable.judge([rule], facts, on: &twisted).verdict == verdict, "\(rule)")
    }
  }
}
