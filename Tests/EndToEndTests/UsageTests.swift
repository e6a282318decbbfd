import AppStore
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("Usage that is late, stale, stuck or elsewhere") struct UsageTests {
  private static func sources(_ root: inout JSONObject, _ sources: JSONValue...) {
    root["usage"] = ["currency": "USD", "sources": .array(sources)]
  }

  private static let generations: JSONObject = [
    "name": "generations",
    "events": [
      "table": "public.generation", "customer": "account_id", "time": "created_at",
      "cost": "cost_usd",
    ],
  ]

  private static func generations(_ changes: JSONObject) -> JSONValue {
    var source = generations
    for key in changes.keys { source[key] = changes[key] }
    return .object(source)
  }

  /// Signed so that the decision is due in so many seconds.
  private static func signedAt(decisionIn seconds: Int) -> Instant {
    Instant.now() - .seconds(12 * 3600 - 1800 - seconds)
  }

  @Test("settle: waited for, and counted until the signed date") func settle() async throws {
    try await Bench.run {
      Self.sources(&$0, Self.generations(["settle": "6s"]))
    } _: { bench in
      try bench.daemon()
      let (id, token) = try bench.account()
      let signedAt = Instant.now()
      let asked = try bench.ask(token: token, signedAt: signedAt)
      let waiting = try await bench.wait(asked, for: "waiting")
      #expect(waiting.reason == "settle")
      #expect(
        try bench.database.isTrue(
          """
          SELECT next_attempt_at BETWEEN signed_at + interval '5 seconds'
              AND signed_at + interval '8 seconds'
          FROM consumptiond.request WHERE id = $1
          """, .int(asked.id)))
      // Arrives late, and belongs to the time before the request.
      try bench.use(id, dollars: "6", at: signedAt - .seconds(1))
      // Used after the refund was asked for.
      try bench.use(id, dollars: "100", at: signedAt + .seconds(1))
      let row = try await bench.wait(asked, for: "answered")
      #expect(row["cost"] == "6")
      #expect(row["rule"] == "heavy")
    }
  }

  @Test("settle: not longer than decideBy allows; what has not settled is unknown then")
  func settleTooLong() async throws {
    try await Bench.run {
      Self.sources(&$0, Self.generations(["settle": "12h"]))
    } _: { bench in
      try bench.daemon()
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let asked = try bench.ask(token: token, signedAt: Self.signedAt(decisionIn: 6))
      #expect(try await bench.wait(asked, for: "waiting").reason == "settle")
      let row = try await bench.wait(asked, for: "answered", within: .seconds(40))
      #expect(row["cost"] == nil)
      #expect(row["refund_preference"] == nil)
      #expect(
        try bench.database.isTrue(
          "SELECT answered_at < deadline - interval '29 minutes' FROM consumptiond.request"))
    }
  }

  @Test("fresh: stale is waited for; heard of in time, it is answered with the cost") func fresh()
    async throws
  {
    try await Bench.run {
      Self.sources(
        &$0,
        Self.generations([
          "fresh": ["query": "SELECT max(created_at) FROM generation", "within": "1h"]
        ]))
    } _: { bench in
      try bench.daemon()
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "6", at: .now() - .seconds(7200))
      let asked = try bench.ask(token: token)
      let waiting = try await bench.wait(asked, for: "waiting")
      #expect(waiting.reason == "usage_unavailable")
      #expect(waiting["last_error"]?.contains("generations") == true)
      #expect(bench.store.connections == 0)
      // Somebody else's row shows that the table is up to date.
      try bench.use(id + 1, dollars: "1", at: .now())
      #expect(try await bench.wait(asked, for: "answered", within: .seconds(60))["cost"] == "6")
    }
  }

  @Test("C-02, fresh: stale until decideBy is unknown, never 0") func stale() async throws {
    try await Bench.run {
      Self.sources(
        &$0,
        Self.generations([
          "fresh": ["query": "SELECT max(created_at) FROM generation", "within": "1h"]
        ]))
    } _: { bench in
      try bench.daemon()
      let asked = try bench.ask(
        token: bench.account().token, signedAt: Self.signedAt(decisionIn: 8))
      try await bench.wait(asked, for: "waiting")
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      #expect(row["cost"] == nil)
      // "unused" would be GRANT_FULL.
      #expect(row["rule"] == nil)
      #expect(row["refund_preference"] == nil)
    }
  }

  @Test("C-14: a source of production does not apply in Sandbox: null, and the cost is the others'")
  func environments() async throws {
    try await Bench.run {
      Self.sources(
        &$0, Self.generations(["environments": ["Production"]]),
        ["name": "fixed", "query": "SELECT 2, 3"])
    } _: { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "6")
      let production = try bench.ask(token: token)
      var signer = bench.signer
      signer.environment = .sandbox
      let transaction = bench.subscription(token: token)
      let sandbox = Asked(
        id: try bench.enqueue(signer.consumptionRequest(transaction: transaction)),
        transaction: transaction.id)
      try await bench.drain()
      #expect(try await bench.wait(production, for: "answered")["cost"] == "9")
      let row = try await bench.wait(sandbox, for: "answered")
      #expect(row["cost"] == "3")
      let facts = row.fields["facts"]?.object
      #expect(facts?["generations"] == .null)
      #expect(facts?["generations_cost"] == .null)
      #expect(facts?["fixed"] != nil)
    }
  }

  /// Hangs for the first account.
  private static let hanging: JSONValue = [
    "name": "slow",
    "query":
      "SELECT 1, CASE WHEN $customer::bigint = 1 THEN (SELECT 1 FROM pg_sleep(600)) ELSE 0 END",
  ]

  @Test("Due for a decision behind one that hangs: asked again, not called unknown")
  func dueBehind()
    async throws
  {
    try await Bench.run {
      $0["worker"] = ["queryTimeout": "2s"]
      Self.sources(&$0, .object(Self.generations), Self.hanging)
    } then: { _, root in
      guard case .array(let apps)? = root["apps"], var app = apps[0].object else { return }
      // All permits are production's: the batch is whole.
      app["environments"] = ["Production"]
      root["apps"] = [.object(app)]
    } _: { bench in
      try bench.database.query("INSERT INTO consumptiond.pause (by_whom) VALUES ('ann')")
      let signedAt = Self.signedAt(decisionIn: -60)
      let stuck = try bench.ask(token: bench.account().token, signedAt: signedAt)
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let others = try (0..<15).map { _ in
        try bench.ask(token: token, signedAt: signedAt + .seconds(1))
      }
      try bench.daemon()
      try await until("all are read") {
        try bench.database.value(
          "SELECT count(*) FROM consumptiond.request WHERE state = 'queued'") == "16"
      }
      try bench.database.query("DELETE FROM consumptiond.pause")
      for asked in others {
        #expect(try await bench.wait(asked, for: "answered", within: .seconds(60))["cost"] == "9")
      }
      #expect(try await bench.wait(stuck, for: "answered", within: .seconds(60))["cost"] == nil)
    }
  }

  @Test("One customer whose query hangs among 1,000 requests: he alone waits, and ends unknown")
  func hanging() async throws {
    try await Bench.run {
      $0["worker"] = ["queryTimeout": "2s"]
      Self.sources(
        &$0, .object(Self.generations), Self.hanging)
    } _: { bench in
      let (stuckId, stuckToken) = try bench.account()
      #expect(stuckId == 1)
      try bench.use(stuckId, dollars: "9")
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let payloads = try (0..<1000).map { _ in
        try bench.signer.consumptionRequest(transaction: bench.subscription(token: token))
      }
      // Due before all others, and so at the head of the first batch.
      let signedAt = Self.signedAt(decisionIn: 75)
      let stuck = try bench.ask(token: stuckToken, signedAt: signedAt)
      for start in stride(from: 0, to: payloads.count, by: 50) {
        let values = payloads[start..<(start + 50)].map { "('\($0)')" }.joined(separator: ",")
        try bench.database.query("SELECT consumptiond.enqueue(p) FROM (VALUES \(values)) v (p)")
      }
      let begun = Instant.now()
      try bench.daemon()
      try await until("the others are answered", within: .seconds(90)) {
        try bench.database.value(
          "SELECT count(*) FROM consumptiond.request WHERE state = 'answered' AND cost = 9")
          == "1000"
      }
      // Measured without him it takes as long, give or take the one batch that he held up.
      let took = Instant.now() - begun
      #expect(took < .seconds(60), "\(took)")
      let open = try bench.row(stuck.id).orThrow("the stuck request")
      #expect(["waiting", "working", "queued"].contains(open.state), "\(open.state)")
      #expect(
        try bench.database.value(
          "SELECT count(*) FROM consumptiond.request_state WHERE alone") == "1")
      let row = try await bench.wait(stuck, for: "answered", within: .seconds(120))
      #expect(row["cost"] == nil)
      #expect(row["refund_preference"] == nil)
      let facts = row.fields["facts"]?.object
      // The source that did not hang is known, and the other's fact is absent.
      #expect(facts?["generations_cost"] != nil)
      #expect(facts?.keys.contains("slow") == false)
      #expect(bench.store.requests.count == 1001)
    }
  }
}
