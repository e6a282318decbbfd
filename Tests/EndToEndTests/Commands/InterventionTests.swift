import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("retry, cancel, answer") struct InterventionTests {
  private static let review: @Sendable (inout JSONObject) -> Void = { root in
    root["response", "refundPreference", "rules"] = [
      ["name": "people", "when": "cost >= 5", "prefer": "REVIEW"]
    ]
  }

  @Test("A person decides what a rule left to one, by his name behind sudo")
  func review() async throws {
    try await Bench.run(configure: Self.review) { bench in
      try bench.daemon()
      let asked = try bench.askHeavy()
      let held = try await bench.wait(asked, for: "held")
      #expect(held.reason == "review")
      let run = try bench.command(
        "answer", "\(asked.id)", "--prefer", "grant_full", "--note", "a loyal customer",
        environment: ["SUDO_USER": "ada", "USER": "root"])
      #expect(run.status == 0, "\(run.complaint)")
      #expect(run.output.contains("ada's word: GRANT_FULL"))
      let row = try await bench.wait(asked, for: "answered")
      #expect(row["refund_preference"] == "GRANT_FULL")
      #expect(row["explanation"]?.contains("ada") == true)
      #expect(
        try bench.database.value("SELECT by_whom || ': ' || note FROM consumptiond.override")
          == "ada: a loyal customer")
      #expect(bench.bodies(asked).count == 1)
      #expect(bench.bodies(asked).allSatisfy { $0.contains("GRANT_FULL") })
    }
  }

  @Test("A person's word does not stand in for consent, and says so")
  func noConsent() async throws {
    try await Bench.run { bench in
      try bench.daemon()
      let asked = try bench.ask(token: bench.account(consents: false).token)
      try await bench.wait(asked, for: "held")
      let run = try bench.command("answer", "\(asked.id)", "--prefer", "DECLINE")
      #expect(run.status == 0)
      #expect(run.output.contains("does not stand in for a customer who consents"))
      try await bench.wait(asked, for: "held")
      #expect(bench.bodies(asked).isEmpty)
    }
  }

  @Test("retry makes a held request ready; cancel ends it; what is final stays")
  func retryAndCancel() async throws {
    try await Bench.run { bench in
      let account = try bench.account(consents: nil)
      let asked = try bench.ask(token: account.token)
      let other = try bench.ask(token: nil)
      try await bench.drain()
      try bench.database.query("INSERT INTO consent VALUES ($1, true)", .int(account.id))
      #expect(try bench.command("retry", "\(asked.id)").status == 0)
      #expect(try bench.command("cancel", other.transaction).status == 0)
      try await bench.drain()
      #expect(try bench.row(asked.id)?.state == "answered")
      #expect(try bench.row(other.id)?.state == "cancelled")
      for words in [["retry"], ["retry", "--redecide"], ["cancel"], ["answer", "--prefer=NONE"]] {
        let run = try bench.command(words: words + ["\(asked.id)"], config: nil, input: "")
        #expect(run.status == 65, "\(words)")
      }
      let refused = try bench.command("retry", "\(asked.id)")
      #expect(refused.status == 65)
      #expect(refused.complaint.contains("is answered, which is final"))
      #expect(bench.bodies(asked).count == 1)
    }
  }

  @Test("After something went out nothing is decided anew; while a worker is on it: 75")
  func tooLate() async throws {
    try await Bench.run { bench in
      bench.store.fail(.status(500))
      let asked = try bench.askHeavy()
      try bench.daemon()
      try await bench.wait(asked, for: "waiting")
      let redecide = try bench.command("retry", "\(asked.id)", "--redecide")
      #expect(redecide.status == 65)
      #expect(redecide.complaint.contains("went out"))
      #expect(try bench.command("answer", "\(asked.id)", "--prefer", "NONE").status == 65)
    }
  }

  @Test("While a worker is on it: 75") func working() async throws {
    try await Bench.run { bench in
      let asked = try bench.ask(token: nil)
      try await bench.drain()
      try bench.database.query(
        "UPDATE consumptiond.request_state SET state = 'working', next_attempt_at = NULL")
      for words in [["retry"], ["cancel"], ["answer", "--prefer=NONE"]] {
        let run = try bench.command(words: words + ["\(asked.id)"], config: nil, input: "")
        #expect(run.status == 75, "\(words): \(run.complaint)")
      }
    }
  }

  @Test("What names several is listed, and nothing is done") func ambiguous() async throws {
    try await Bench.run { bench in
      let draft = bench.subscription(token: nil)
      let first = try bench.ask(token: nil, transaction: draft)
      let second = try bench.ask(token: nil, transaction: draft)
      try await bench.drain()
      let run = try bench.command("cancel", first.transaction)
      #expect(run.status == 65)
      #expect(run.complaint.contains("2 requests match"))
      #expect(run.output.contains("\(first.id)") && run.output.contains("\(second.id)"))
      #expect(try bench.row(first.id)?.state == "held")
      #expect(try bench.row(second.id)?.state == "held")
      #expect(try bench.command("cancel", "no-such-thing").status == 65)
    }
  }
}
