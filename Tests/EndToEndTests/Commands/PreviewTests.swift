import AppStore
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("preview") struct PreviewTests {
  @Test("A payload and queued, held and waiting requests: told, and nothing is written")
  func writesNothing() async throws {
    try await Bench.run { bench in
      let heavy = try bench.account()
      try bench.use(heavy.id, dollars: "9")
      let held = try bench.ask(token: bench.account(consents: false).token)
      let unknown = try bench.ask(token: nil)
      try await bench.drain()
      try bench.command("pause").expectDone()
      let queued = try bench.ask(token: heavy.token)
      try await bench.drain()
      let draft = bench.subscription(token: heavy.token)
      let payload = try bench.signer.consumptionRequest(
        transaction: draft, reason: nil, signedAt: .now())
      let before = try bench.snapshot()
      #expect(before.count > 10)

      let answered = try bench.json("preview", "\(queued.id)", "--json")
      #expect(answered["refund_preference"] == "DECLINE")
      #expect(answered["rule"] == "heavy")
      #expect(answered["paused"] == .bool(true))
      #expect(answered["would_send"] == .bool(false))
      #expect(try bench.json("preview", "\(held.id)", "--json")["state_reason"] == "no_consent")
      #expect(
        try bench.json("preview", "\(unknown.id)", "--json")["state_reason"] == "customer_unknown")
      let loose = try bench.json("preview", "-", "--json", input: payload)
      #expect(loose["request"] == .null)
      #expect(loose["refund_preference"] == "DECLINE")
      let page = try bench.command("preview", "\(queued.id)")
      #expect(page.output.contains("would be answered now"))
      #expect(page.output.contains("Paused by"))
      #expect(try bench.snapshot() == before)
      #expect(bench.bodies(queued).isEmpty)
      #expect(bench.store.requests(for: draft.id).isEmpty)

      // What it told is what then happens.
      try bench.command("resume").expectDone()
      try await bench.drain()
      let row = try bench.row(queued.id)
      #expect(row?.state == "answered")
      #expect(row?["refund_preference"] == "DECLINE")
      #expect(try bench.command("preview", "\(queued.id)").status == 65)
    }
  }

  @Test("A review, a query that fails, observe: how it would be left, and what it would say")
  func left() async throws {
    try await Bench.run { bench in
      let heavy = try bench.account()
      try bench.use(heavy.id, dollars: "9")
      let payload = try bench.signer.consumptionRequest(
        transaction: bench.subscription(token: heavy.token), reason: nil, signedAt: .now())
      let review = try bench.configuration("review") {
        $0["response", "refundPreference", "rules"] = [
          ["name": "people", "when": "cost >= 5", "prefer": "REVIEW"]
        ]
        $0["response", "refundPreference", "whenUnknown"] = "DECLINE"
      }
      let held = try bench.json("preview", "-", "--json", config: review, input: payload)
      #expect(held["state"] == "held")
      #expect(held["state_reason"] == "review")
      #expect(held["refund_preference"] == "DECLINE")
      let observe = try bench.configuration("observe") { $0["mode"] = "observe" }
      let observed = try bench.json("preview", "-", "--json", config: observe, input: payload)
      #expect(observed["state"] == "observed")
      #expect(observed["would_send"] == .bool(false))
      let forged = try bench.signer.forged(
        .otherKey, transaction: bench.subscription(token: heavy.token))
      let refused = try bench.command("preview", "-", input: forged)
      #expect(refused.status == 65)
      #expect(refused.complaint.contains("signature"))
    }
  }
}

extension CommandRun {
  func expectDone() throws {
    if status != 0 { throw TestSupportError("exit \(status): \(complaint)") }
  }
}

extension Bench {
  /// The one JSON object that a command prints.
  func json(
    _ arguments: String..., config: String? = nil, input: String = ""
  ) throws -> JSONObject {
    let run = try command(words: arguments, config: config, input: input)
    guard let object = JSONValue(text: run.output)?.object else {
      throw TestSupportError("exit \(run.status): \(run.output) \(run.complaint)")
    }
    return object
  }
}
