import AppStore
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("Apple's decision, early, late and repeated") struct SettledTests {
  private static func count(_ bench: Bench, _ table: String) throws -> String? {
    try bench.database.value("SELECT count(*) FROM consumptiond.\(table)")
  }

  @Test(
    "B-11: the REFUND arrives before the request that it decided: settled, nothing sent",
    arguments: [false, true])
  func first(isDeclined: Bool) async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      let asked = Instant.now() - .seconds(600)
      _ = try bench.enqueue(
        isDeclined
          ? bench.signer.refundDeclined(transaction: transaction)
          : bench.signer.refund(transaction: transaction))
      try await bench.drain()
      let request = try bench.ask(token: token, transaction: transaction, signedAt: asked)
      try await bench.drain()
      let row = try await bench.wait(request, for: "settled")
      #expect(row.attempts == 0)
      #expect(bench.store.connections == 0)
    }
  }

  @Test("A decision is about what was asked before it: a newer request is answered") func newer()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      _ = try bench.enqueue(
        bench.signer.refundDeclined(
          transaction: transaction, signedAt: .now() - .seconds(3600)))
      let request = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      try await bench.wait(request, for: "answered")
      #expect(bench.bodies(request).count == 1)
    }
  }

  @Test("B-11: the REFUND comes after the answer, and again: the answer stays what it is")
  func late() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      let request = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      let before = try await bench.wait(request, for: "answered")
      let refund = try bench.signer.refund(transaction: transaction)
      let first = try bench.enqueue(refund)
      #expect(try bench.enqueue(refund) == first)
      // The same notification, signed again.
      _ = try bench.enqueue(
        bench.signer.refund(
          transaction: transaction, signedAt: .now() + .seconds(1),
          uuid: "7e3fb20b-4cdb-47cc-936d-99d65f608138"))
      _ = try bench.enqueue(
        bench.signer.refund(
          transaction: transaction, signedAt: .now() + .seconds(2),
          uuid: "7e3fb20b-4cdb-47cc-936d-99d65f608138"))
      try await bench.drain()
      let after = try bench.row(request.id).orThrow("the request")
      #expect(after.fields == before.fields)
      #expect(bench.bodies(request).count == 1)
      // The request, and two refunds.
      #expect(try Self.count(bench, "ledger") == "3")
    }
  }

  @Test("Several requests of one transaction: what is open is settled, what is answered stays")
  func several() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      let answered = try bench.ask(
        token: token, transaction: transaction, signedAt: .now() - .seconds(120))
      try await bench.drain()
      try await bench.wait(answered, for: "answered")
      try bench.database.query("UPDATE consent SET granted = false")
      let held = try bench.ask(
        token: token, transaction: transaction, signedAt: .now() - .seconds(60))
      let other = try bench.ask(token: token)
      try await bench.drain()
      try await bench.wait(held, for: "held")
      _ = try bench.enqueue(
        bench.signer.refund(transaction: transaction, signedAt: .now() - .seconds(30)))
      let newer = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      #expect(try bench.row(answered.id)?.state == "answered")
      #expect(try bench.row(held.id)?.state == "settled")
      // Asked after Apple had decided, and about another transaction.
      #expect(try bench.row(newer.id)?.state == "held")
      #expect(try bench.row(other.id)?.state == "held")
      #expect(bench.store.requests.count == 1)
    }
  }

  @Test("A REFUND while the PUT is in flight: whatever Apple says to it is kept") func inFlight()
    async throws
  {
    try await Bench.run { bench in
      bench.store.fail(.slow(.seconds(2)), times: 1)
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      let daemon = try bench.daemon()
      let request = try bench.ask(token: token, transaction: transaction)
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      _ = try bench.enqueue(bench.signer.refund(transaction: transaction))
      try await until("the refund is read") { try Self.count(bench, "ledger") == "2" }
      let row = try await bench.wait(request, for: "answered")
      #expect(row.attempts == 1)
      #expect(daemon.hasEnded == nil)
    }
  }

  @Test("A REFUND while a retry waits: settled, and nothing more is sent") func whileWaiting()
    async throws
  {
    try await Bench.run { bench in
      bench.store.fail(.rateLimited(.seconds(3600)), times: 1)
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      let request = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      try await bench.wait(request, for: "waiting")
      _ = try bench.enqueue(bench.signer.refund(transaction: transaction))
      try await bench.drain()
      let row = try await bench.wait(request, for: "settled")
      #expect(row.attempts == 1)
      #expect(row["next_attempt_at"] == nil)
      #expect(bench.store.requests.count == 1)
    }
  }
}

@Suite("Notifications of the past") struct ReplayTests {
  @Test("A-39: an old notification that is replayed over a newer one changes nothing that is newer")
  func replay() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let start = Instant.now() - .seconds(12 * 86_400)
      let transaction = bench.subscription(token: token)
      // Refunded in part and given back; the older of the two comes last.
      _ = try bench.enqueue(
        bench.signer.refundReversed(transaction: transaction, signedAt: .now() - .seconds(3600)))
      _ = try bench.enqueue(
        bench.signer.refund(
          transaction: transaction, revokedAt: start + .seconds(86_400),
          signedAt: .now() - .seconds(7200)))
      let request = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      let row = try await bench.wait(request, for: "answered")
      // Usage after the revocation that was taken back counts.
      #expect(row["cost"] == "9")
    }
  }

  @Test("B-07: a revocation that stands ends the time in which usage counts") func revoked()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      let start = Instant.now() - .seconds(12 * 86_400)
      try bench.use(id, dollars: "2", at: start + .seconds(3600))
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
        .with("revocationDate", JSONValue((start + .seconds(86_400)).milliseconds))
      let request = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      #expect(try await bench.wait(request, for: "answered")["cost"] == "2")
    }
  }

  @Test("B-07: a refund of an earlier period settles its own request and no other") func earlier()
    async throws
  {
    try await Bench.run { bench in
      let (_, token) = try bench.account(consents: false)
      let now = Instant.now()
      let may = TransactionDraft.subscription(
        id: Bench.transactionId(), token: token, purchased: now - .seconds(42 * 86_400),
        expires: now - .seconds(12 * 86_400))
      let june = bench.subscription(
        token: token, id: Bench.transactionId(), originalId: may.id)
      let old = try bench.ask(token: token, transaction: may, signedAt: now - .seconds(60))
      let new = try bench.ask(token: token, transaction: june, signedAt: now - .seconds(60))
      try await bench.drain()
      _ = try bench.enqueue(bench.signer.refund(transaction: may))
      try await bench.drain()
      #expect(try bench.row(old.id)?.state == "settled")
      #expect(try bench.row(new.id)?.state == "held")
    }
  }

  @Test("D-18: the disputed month is the past one: its usage, up to the next one's purchase")
  func pastPeriod() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      let now = Instant.now()
      let may = TransactionDraft.subscription(
        id: Bench.transactionId(), token: token, purchased: now - .seconds(42 * 86_400),
        expires: now - .seconds(12 * 86_400))
      // Upgraded two days early.
      let june = TransactionDraft.subscription(
        id: Bench.transactionId(), originalId: may.id, token: token,
        purchased: now - .seconds(14 * 86_400), expires: now + .seconds(16 * 86_400))
      try bench.use(id, dollars: "0.5", at: now - .seconds(43 * 86_400))
      try bench.use(id, dollars: "5.25", at: now - .seconds(20 * 86_400))
      try bench.use(id, dollars: "30", at: now - .seconds(13 * 86_400))
      _ = try bench.enqueue(bench.signer.renewal(transaction: june))
      let old = try bench.ask(token: token, transaction: may)
      let new = try bench.ask(token: token, transaction: june)
      try await bench.drain()
      let past = try await bench.wait(old, for: "answered")
      #expect(past["cost"] == "5.25")
      #expect(past["period_position"] == "past")
      #expect(try await bench.wait(new, for: "answered")["cost"] == "30")
    }
  }

  @Test("A-39: a replayed request that is too old is not answered; its twin changes nothing")
  func oldRequest() async throws {
    try await Bench.run { bench in
      let token = try bench.account().token
      let transaction = bench.subscription(token: token)
      let fresh = try bench.ask(token: token, transaction: transaction)
      let old = try bench.ask(
        token: token, transaction: transaction, signedAt: .now() - .seconds(3 * 86_400))
      try await bench.drain()
      try await bench.wait(fresh, for: "answered")
      #expect(try await bench.wait(old, for: "missed").reason == "expired_on_arrival")
      #expect(bench.store.requests.count == 1)
    }
  }
}

@Suite("Sandbox") struct SandboxTests {
  @Test("Slow requests of the Sandbox, as many as there are workers, do not delay production")
  func share() async throws {
    try await Bench.run { bench in
      var signer = bench.signer
      signer.environment = .sandbox
      let token = try bench.account().token
      for _ in 0..<40 {
        let transaction = bench.subscription(token: token)
        bench.store.fail(.slow(.seconds(10)), transaction: transaction.id)
        _ = try bench.enqueue(signer.consumptionRequest(transaction: transaction))
      }
      try bench.daemon()
      // All that the Sandbox may have are on the wire.
      let arrived = await bench.store.wait(.seconds(30)) { $0.count(where: \.isInFlight) >= 4 }
      #expect(arrived)
      for _ in 0..<8 {
        let asked = try bench.askHeavy()
        try await bench.wait(asked, for: "answered", within: .seconds(8))
      }
      #expect(bench.store.requests.count { $0.isInFlight } == 4)
    }
  }

  @Test(
    "A-16, C-14: both environments on one daemon, each with its window, and with its name in queries"
  )
  func environments() async throws {
    try await Bench.run {
      $0["usage"] = [
        "currency": "USD",
        "sources": [
          [
            "name": "stage",
            "query": "SELECT 1, CASE $environment WHEN 'Sandbox' THEN 1 ELSE 2 END",
          ]
        ],
      ]
    } _: { bench in
      var signer = bench.signer
      signer.environment = .sandbox
      let token = try bench.account().token
      let transaction = bench.subscription(token: token)
      let sandbox = Asked(
        id: try bench.enqueue(signer.consumptionRequest(transaction: transaction)),
        transaction: transaction.id)
      let production = try bench.ask(token: token)
      try await bench.drain()
      #expect(try await bench.wait(sandbox, for: "answered")["cost"] == "1")
      #expect(try await bench.wait(production, for: "answered")["cost"] == "2")
      #expect(
        try bench.database.query(
          "SELECT deadline - signed_at FROM consumptiond.request ORDER BY id")
          == [["00:05:00"], ["12:00:00"]])
    }
  }
}
