import AppStore
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("Ends other than an answer") struct EndingTests {
  struct Withheld: Sendable, CustomTestStringConvertible {
    let field: String
    let value: JSONValue
    let state: String
    let reason: String
    var testDescription: String { reason }
  }

  static let purchases = [
    Withheld(
      field: "inAppOwnershipType", value: "FAMILY_SHARED", state: "withheld",
      reason: "family_shared"),
    Withheld(
      field: "inAppOwnershipType", value: "ASSIGNED", state: "withheld", reason: "assigned"),
    Withheld(
      field: "advancedCommerceInfo", value: ["requestReferenceId": "x"], state: "failed",
      reason: "advanced_commerce_unsupported"),
  ]

  @Test("B-09, A-02: purchases for which Apple takes no answer", arguments: purchases)
  func purchase(kind: Withheld) async throws {
    try await Bench.run { bench in
      let (_, token) = try bench.account()
      let transaction = bench.subscription(token: token).with(kind.field, kind.value)
      let asked = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      let row = try await bench.wait(asked, for: kind.state)
      #expect(row.reason == kind.reason)
      #expect(row.attempts == 0)
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("A customer who is gone") func gone() async throws {
    try await Bench.run {
      $0["customer"] = [
        "query":
          "SELECT nullif(id, id) FROM account WHERE app_account_token = $app_account_token::uuid"
      ]
    } _: { bench in
      let asked = try bench.ask(token: bench.account().token)
      try await bench.drain()
      #expect(try await bench.wait(asked, for: "withheld").reason == "customer_gone")
    }
  }

  @Test("NO_ANSWER sends nothing") func noAnswer() async throws {
    try await Bench.run {
      $0["response", "refundPreference"] = [
        "rules": [["name": "silent", "when": "cost >= 5", "prefer": "NO_ANSWER"]]
      ]
    } _: { bench in
      let asked = try bench.askHeavy()
      try await bench.drain()
      let row = try await bench.wait(asked, for: "withheld")
      #expect(row.reason == "rule")
      #expect(row["rule"] == "silent")
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("Every forgery ends in rejected, and the good one beside it is answered")
  func forgeries() async throws {
    try await Bench.run { bench in
      let (_, token) = try bench.account()
      var ids: [Int: Forgery] = [:]
      for forgery in Forgery.allCases {
        let payload = try bench.signer.forged(
          forgery, transaction: bench.subscription(token: token))
        ids[try bench.enqueue(payload)] = forgery
      }
      for junk in ["x", "{}", "a.b.c", #"{"signedPayload":"#, "☃.☃.☃"] {
        _ = try bench.enqueue(junk)
      }
      let good = try bench.ask(token: token)
      try await bench.drain()
      try await bench.wait(good, for: "answered")
      let rejected = try bench.database.query(
        "SELECT id, reason, detail FROM consumptiond.rejected")
      #expect(rejected.count == Forgery.allCases.count + 5)
      let known = Set(rejected.compactMap { $0[0].flatMap { Int($0) } })
      for (id, forgery) in ids { #expect(known.contains(id), "\(forgery)") }
      #expect(bench.store.requests.count == 1)
      // A rejected payload is nobody's evidence.
      #expect(
        try bench.database.value(
          "SELECT count(*) FROM consumptiond.inbox WHERE payload IS NOT NULL AND id <> $1",
          .int(good.id)) == "0")
    }
  }

  @Test("More than 256 kB is noted and breaks no webhook") func tooLarge() async throws {
    try await Bench.run { bench in
      let id = try bench.enqueue(String(repeating: "x", count: 262_145))
      #expect(
        try bench.database.value(
          "SELECT reason FROM consumptiond.rejected WHERE id = $1", .int(id)) == "too_large")
    }
  }

  @Test("A-20: payloads without data are acknowledged") func withoutData() async throws {
    try await Bench.run { bench in
      let payloads = [
        try bench.signer.test(), try bench.signer.summary(),
        try bench.signer.rescindConsent(appTransactionId: "704"),
        try bench.signer.renewal(transaction: bench.subscription(token: nil)),
      ]
      for payload in payloads { _ = try bench.enqueue(payload) }
      let daemon = try bench.daemon("--drain")
      #expect(try await daemon.waitForEnd() == .exit(0))
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.rejected") == "0")
      #expect(try bench.database.isTrue("SELECT bool_and(done) FROM consumptiond.inbox"))
      #expect(daemon.events("consent_rescinded").count == 1)
    }
  }

  @Test("A REFUND that comes first settles the request") func settled() async throws {
    try await Bench.run { bench in
      let (_, token) = try bench.account(consents: false)
      let transaction = bench.subscription(token: token)
      let asked = try bench.ask(token: token, transaction: transaction)
      try bench.daemon()
      try await bench.wait(asked, for: "held")
      _ = try bench.enqueue(bench.signer.refund(transaction: transaction))
      try await bench.wait(asked, for: "settled")
      #expect(bench.store.requests.isEmpty)
    }
  }
}

@Suite("Time") struct TimeTests {
  @Test("Sandbox: five minutes") func sandboxDeadline() async throws {
    try await Bench.run { bench in
      var signer = bench.signer
      signer.environment = .sandbox
      let (_, token) = try bench.account()
      let id = try bench.enqueue(
        signer.consumptionRequest(transaction: bench.subscription(token: token)))
      try await bench.drain()
      #expect(
        try bench.database.isTrue(
          """
          SELECT deadline - signed_at = interval '5 minutes' AND state = 'answered'
              AND environment = 'Sandbox'
          FROM consumptiond.request WHERE id = $1
          """, .int(id)))
    }
  }

  @Test("B-10: the deadline counts from the signed date, not from the arrival") func deadline()
    async throws
  {
    try await Bench.run { bench in
      let asked = try bench.ask(
        token: bench.account().token, signedAt: .now() - .seconds(11 * 3600 + 1800))
      try await bench.drain()
      try await bench.wait(asked, for: "answered")
      #expect(
        try bench.database.isTrue(
          """
          SELECT deadline - signed_at = interval '12 hours' AND NOT late
              AND deadline - received_at < interval '31 minutes'
          FROM consumptiond.request WHERE id = $1
          """, .int(asked.id)))
    }
  }

  @Test("Late: one attempt, which may be answered") func lateAnswered() async throws {
    try await Bench.run { bench in
      let asked = try bench.ask(
        token: bench.account().token, signedAt: .now() - .seconds(13 * 3600))
      try await bench.drain()
      let row = try await bench.wait(asked, for: "answered")
      #expect(row.reason == "late")
      #expect(row["late"] == "true")
      #expect(row.attempts == 1)
    }
  }

  @Test(
    "Late, and the one attempt fails: missed, and why",
    arguments: [
      (Fault.status(503), "apple_unreachable"), (.status(401), "unauthorized"),
      (.rateLimited(.seconds(1)), "rate_limited"), (.reset, "outcome_unknown"),
      (.code(4_000_006), "apple_4000006"),
    ])
  func lateMissed(fault: Fault, reason: String) async throws {
    try await Bench.run { bench in
      bench.store.fail(fault)
      let asked = try bench.ask(
        token: bench.account().token, signedAt: .now() - .seconds(13 * 3600))
      try await bench.drain()
      let row = try await bench.wait(asked, for: "missed")
      #expect(row.reason == reason)
      #expect(row.attempts == 1)
      #expect(bench.store.requests.count == 1)
    }
  }

  @Test("Late, and consent is not readable or not given") func lateWithout() async throws {
    try await Bench.run { bench in
      let (_, token) = try bench.account(consents: false)
      let silent = try bench.ask(token: token, signedAt: .now() - .seconds(13 * 3600))
      try await bench.drain()
      #expect(try await bench.wait(silent, for: "withheld").reason == "no_consent")
      try bench.database.query("ALTER TABLE consent RENAME TO consent_elsewhere")
      try bench.database.query(
        "CREATE VIEW consent AS SELECT account_id, 1 / (account_id - account_id) = 1 AS granted, at FROM consent_elsewhere"
      )
      let unreadable = try bench.ask(
        token: token, signedAt: .now() - .seconds(13 * 3600))
      try await bench.drain()
      #expect(try await bench.wait(unreadable, for: "missed").reason == "consent_unavailable")
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test(
    "Older than a day: missed, without an attempt",
    arguments: [
      (AppStore.Environment.production, 24 * 3600 + 5), (.sandbox, 605),
    ])
  func expired(environment: AppStore.Environment, age: Int) async throws {
    try await Bench.run { bench in
      var signer = bench.signer
      signer.environment = environment
      let (_, token) = try bench.account()
      let transaction = bench.subscription(token: token)
      let asked = Asked(
        id: try bench.enqueue(
          signer.consumptionRequest(transaction: transaction, signedAt: .now() - .seconds(age))),
        transaction: transaction.id)
      try await bench.drain()
      let row = try await bench.wait(asked, for: "missed")
      #expect(row.reason == "expired_on_arrival")
      #expect(row.attempts == 0)
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("An attempt that began in time and fails after the deadline leaves the late one")
  func deadlineInFlight() async throws {
    try await Bench.run { bench in
      bench.store.fail(Fault(.answer(ServerAnswer(503)), delay: .seconds(3)), times: 1)
      let asked = try bench.ask(token: bench.account().token)
      try bench.daemon()
      let arrived = await bench.store.wait { !$0.isEmpty }
      #expect(arrived)
      try bench.database.query(
        "UPDATE consumptiond.request_state SET deadline = clock_timestamp() + interval '10 ms' WHERE id = $1",
        .int(asked.id))
      let row = try await bench.wait(asked, for: "answered")
      #expect(row.reason == "late")
      #expect(row.attempts == 2)
    }
  }

  @Test("At the deadline what waits for Apple gets one late attempt, then it is missed")
  func waitingAtTheDeadline() async throws {
    try await Bench.run { bench in
      bench.store.fail(.rateLimited(.seconds(3600)), times: 1)
      bench.store.fail(.status(503))
      let asked = try bench.ask(token: bench.account().token)
      try bench.daemon()
      try await bench.wait(asked, for: "waiting")
      try bench.database.query(
        "UPDATE consumptiond.request_state SET deadline = clock_timestamp() WHERE id = $1",
        .int(asked.id))
      let row = try await bench.wait(asked, for: "missed")
      #expect(row["late"] == "true")
      #expect(row.reason == "apple_unreachable")
      #expect(bench.store.requests.count == 2)
    }
  }
}
