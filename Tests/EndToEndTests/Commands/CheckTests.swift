import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("check") struct CheckTests {
  /// The levels and messages of the findings, by subject.
  private func findings(
    _ bench: Bench, _ arguments: String..., config: String? = nil
  ) throws -> [String: JSONObject] {
    let run = try bench.command(
      words: ["check", "--json"] + arguments, config: config, input: "")
    guard case .array(let found)? = JSONValue(text: run.output)?.object?["findings"] else {
      throw TestSupportError("\(run.output) \(run.complaint)")
    }
    return found.compactMap(\.object).reduce(into: [:]) { $0[$1["subject"]?.string ?? ""] = $1 }
  }

  @Test("A configuration that works: nothing is wrong, and nothing is written") func works()
    async throws
  {
    try await Bench.run { bench in
      let account = try bench.account()
      try bench.use(account.id, dollars: "2.5")
      let before = try bench.snapshot()
      let run = try bench.command("check", "--customer", "\(account.id)")
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains(" 0 wrong"))
      #expect(run.output.contains("1, cost 2.5, in 30 days"))
      #expect(run.output.contains("customer[0].query: id bigint"))
      #expect(try bench.snapshot() == before)
    }
  }

  @Test("Each wrong query and rule is found, each with its place") func places() async throws {
    try await Bench.run { bench in
      let file = try bench.configuration("wrong") {
        $0["consent", "query"] = "SELECT granted FROM consent WHERE acount_id = $customer"
        $0["response", "refundPreference", "rules"] = [
          ["name": "first", "when": "cost > 1 AND nonsense", "prefer": "NONE"],
          ["name": "second", "when": "cost > 2", "prefer": "NONE"],
          ["name": "third", "when": "(SELECT true)", "prefer": "NONE"],
        ]
      }
      let found = try self.findings(bench, config: file)
      let consent = found["consent.query"]
      #expect(consent?["level"] == "wrong")
      #expect(consent?["position"]?.text == "35")
      let first = found["response.refundPreference.rules[0].when"]
      #expect(first?["expression"] == "cost > 1 AND nonsense")
      #expect(first?["position"]?.text == "14")
      #expect(found[#"rule "second""#]?["level"] == "fine")
      #expect(found["response.refundPreference.rules[2].when"]?["level"] == "wrong")
      let run = try bench.command("check", config: file)
      #expect(run.status == 78)
      #expect(run.output.contains("cost > 1 AND nonsense\n                       ^\n"))
    }
  }

  @Test("A-08: a query that finds somebody for nobody is wrong") func nobody() async throws {
    try await Bench.run { bench in
      let account = try bench.account()
      try bench.use(account.id, dollars: "3")
      let file = try bench.configuration("anyone") {
        $0["customer"] = [
          "query":
            "SELECT id FROM account WHERE app_account_token = $app_account_token::uuid OR true"
        ]
        $0["consent", "query"] = "SELECT granted FROM consent WHERE $customer::bigint IS NOT NULL"
        $0["usage", "sources"] = [
          ["name": "everyone", "query": "SELECT count(*), sum(cost_usd) FROM generation"]
        ]
        $0["response", "refundPreference", "rules"] = []
      }
      let found = try self.findings(bench, config: file)
      #expect(found["customer, of a purchase that nobody made"]?["level"] == "wrong")
      #expect(found["consent, of nobody"]?["level"] == "wrong")
      #expect(found["usage of nobody, everyone"]?["level"] == "wrong")
    }
  }

  @Test("The rules' tests are judged by PostgreSQL: absent is unknown, null does not apply")
  func tests() async throws {
    try await Bench.run { bench in
      let file = try bench.configuration("tests") {
        $0["response", "refundPreference"] = [
          "rules": [
            ["name": "none", "when": "reason IS NULL", "prefer": "NONE"],
            [
              "name": "fast", "when": "cost = 0 AND asked_after < interval '7 days'",
              "prefer": "GRANT_FULL",
            ],
            ["name": "half", "when": "1 / elapsed > 2", "prefer": "GRANT_PRORATED"],
          ],
          "otherwise": "DECLINE",
          "whenUnknown": "REVIEW",
          "tests": [
            ["facts": ["reason": .null], "expect": "NONE"],
            [
              "facts": ["reason": "OTHER", "cost": 0, "asked_after": "2 days"],
              "expect": "GRANT_FULL",
            ],
            ["facts": ["reason": "OTHER", "cost": 0], "expect": "REVIEW"],
            ["facts": ["reason": "OTHER", "cost": 1, "elapsed": 0], "expect": "NONE"],
            ["facts": ["reason": "OTHER", "cost": 1, "elapsed": .null], "expect": "GRANT_FULL"],
            ["facts": ["reason": "OTHER", "cost": 1, "asked_after": "soon"], "expect": "NONE"],
          ],
        ]
      }
      let found = try self.findings(bench, config: file)
      let levels = (0..<6).map {
        found["response.refundPreference.tests[\($0)]"]?["level"]?.string ?? "missing"
      }
      #expect(levels == ["fine", "fine", "fine", "wrong", "wrong", "wrong"])
      func message(_ index: Int) -> String {
        found["response.refundPreference.tests[\(index)]"]?["message"]?.string ?? ""
      }
      #expect(message(2).contains("for want of asked_after"))
      #expect(message(3).contains("22012"))
      #expect(message(4).contains("expected GRANT_FULL, found DECLINE"))
    }
  }

  @Test("A database that is away is 69, a configuration that is wrong 78, a loose key doubtful")
  func surroundings() async throws {
    try await Bench.run { bench in
      try shell("chmod 644 '\(bench.configuration.folder)/key.p8'")
      #expect(try self.findings(bench)["apps[0].keys[0]"]?["level"] == "doubtful")
      let away = try bench.configuration("away") { $0["database"] = "host=/nowhere" }
      let run = try bench.command("check", config: away)
      #expect(run.status == 69)
      #expect(run.output.contains("1 wrong"))
      let bad = try bench.configuration("bad") { $0["mode"] = "maybe" }
      #expect(try bench.command("check", config: bad).status == 78)
    }
  }

  /// Before the right key one that the store does not know.
  private static let addKey: @Sendable (inout JSONObject) -> Void = { root in
    guard case .array(let apps)? = root["apps"], var app = apps[0].object,
      case .array(let keys)? = app["keys"], var other = keys[0].object
    else { return }
    other["keyId"] = "AAAAAAAAAA"
    app["keys"] = [.object(other), keys[0]]
    root["apps"] = [.object(app)]
  }

  @Test("A-09: a key that Apple rejects gives way to the next, after a fresh token")
  func nextKey() async throws {
    try await Bench.run(configure: Self.addKey) { bench in
      let asked = try bench.askHeavy()
      try await bench.drain()
      let row = try bench.row(asked.id)
      #expect(row?.state == "answered")
      #expect(row?.attempts == 3)
      let results = row?.tries.compactMap { $0["result"]?.string } ?? []
      #expect(results == ["unauthorized", "unauthorized", "accepted"])
    }
  }
}
