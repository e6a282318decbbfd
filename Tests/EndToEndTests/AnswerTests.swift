import AppStore
import Simulation
import Testing

@Suite("The main job") struct AnswerTests {
  @Test("Three customers, three answers, and one who did not consent") func answers() async throws {
    try await Bench.run { bench in
      let heavy = try bench.askHeavy()
      let idle = try bench.ask(token: bench.account().token)
      let (middle, token) = try bench.account()
      try bench.use(middle, dollars: "1.25")
      let mid = try bench.ask(token: token)
      let silent = try bench.ask(token: bench.account(consents: false).token)
      try await bench.drain()
      for (asked, preference) in [(heavy, "DECLINE"), (idle, "GRANT_FULL"), (mid, nil)] {
        let row = try await bench.wait(asked, for: "answered")
        #expect(row["refund_preference"] == preference)
        #expect(row["http_status"] == "202")
        #expect(bench.bodies(asked).count == 1)
        #expect(
          JSONValue(text: bench.bodies(asked)[0])?.object?["refundPreference"]?.string
            == preference)
      }
      #expect(try await bench.wait(mid, for: "answered")["cost"] == "1.25")
      let held = try await bench.wait(silent, for: "held")
      #expect(held.reason == "no_consent")
      #expect(bench.bodies(silent).isEmpty)
      #expect(bench.store.requests.count == 3)
    }
  }
}
