import AppStore
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("Never two at once") struct ConcurrencyTests {
  @Test("B-01: five requests for one transaction and a duplicate, under three daemons")
  func fiveRequests() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      // Long enough for others to come in between.
      bench.store.fail(.slow(.milliseconds(150)))
      for _ in 0..<3 { try bench.daemon() }
      let payloads = try (0..<5).map { _ in
        try bench.signer.consumptionRequest(transaction: transaction)
      }
      var ids = try payloads.map { try bench.enqueue($0) }
      #expect(try bench.enqueue(payloads[0]) == ids[0])
      #expect(Set(ids).count == 5)
      // Apple's whole body around the same payload is the same notification.
      #expect(try bench.enqueue(#"{"signedPayload":"\#(payloads[1])"}"#) == ids[1])
      ids = Array(Set(ids))
      for id in ids {
        let row = try await bench.wait(Asked(id: id, transaction: transaction.id), for: "answered")
        #expect(row.attempts == 1)
      }
      #expect(bench.store.requests.count == 5)
      #expect(bench.store.accepted.count == 5)
      #expect(bench.store.overlaps.isEmpty)
    }
  }

  @Test("B-06: another payload with a known UUID opens nothing") func sameUUID() async throws {
    try await Bench.run { bench in
      let (_, token) = try bench.account()
      let transaction = bench.subscription(token: token)
      let uuid = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
      let first = try bench.enqueue(
        bench.signer.consumptionRequest(transaction: transaction, uuid: uuid))
      let second = try bench.enqueue(
        bench.signer.consumptionRequest(
          transaction: transaction, signedAt: .now() - .seconds(60), uuid: uuid.uppercased()))
      #expect(first != second)
      try await bench.drain()
      #expect(try bench.row(second) == nil)
      #expect(bench.store.requests.count == 1)
    }
  }

  @Test("D-11: 240 requests under four daemons: one PUT each") func manyWorkers() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      for _ in 0..<4 { try bench.daemon() }
      let payloads = try (0..<240).map { _ in
        try bench.signer.consumptionRequest(transaction: bench.subscription(token: token))
      }
      // In batches, so that wake-ups fall between claims.
      for start in stride(from: 0, to: payloads.count, by: 24) {
        let values = payloads[start..<(start + 24)].map { "('\($0)')" }.joined(separator: ",")
        try bench.database.query(
          "SELECT consumptiond.enqueue(p) FROM (VALUES \(values)) v (p)")
      }
      try await until("all are answered", within: .seconds(60)) {
        try bench.database.value(
          "SELECT count(*) FROM consumptiond.request WHERE state = 'answered'") == "240"
      }
      #expect(bench.store.requests.count == 240)
      #expect(Set(bench.store.requests.compactMap(\.transactionId)).count == 240)
      #expect(
        try bench.database.value(
          "SELECT count(*) FROM consumptiond.attempt WHERE result = 'accepted'")
          == "240")
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.lease") == "0")
    }
  }

  @Test("D-11: one request, eight daemons") func oneRequest() async throws {
    try await Bench.run { bench in
      let daemons = try (0..<8).map { _ in try bench.daemon() }
      for daemon in daemons { try await daemon.waitForEvent("started", within: .seconds(60)) }
      for _ in 0..<10 {
        let asked = try bench.askHeavy()
        try await bench.wait(asked, for: "answered")
        #expect(bench.bodies(asked).count == 1)
      }
    }
  }

  @Test("A slow customer query holds up neither the other lane nor anybody's lease")
  func slowQuery() async throws {
    try await Bench.run {
      $0["worker"] = ["queryTimeout": "60s"]
      $0["customer"] = [
        "query": """
        SELECT id FROM (
            SELECT id, slow FROM account
            WHERE app_account_token = $app_account_token::uuid OFFSET 0) a
        WHERE NOT slow OR pg_advisory_xact_lock_shared(1) IS NOT NULL
        """
      ]
    } _: { bench in
      try bench.database.query("ALTER TABLE account ADD COLUMN slow boolean DEFAULT false")
      let (id, token) = try bench.account()
      try bench.database.query("UPDATE account SET slow = true WHERE id = $1", .int(id))
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      try bench.database.query("SELECT pg_advisory_lock(1)")
      let slow = try bench.ask(token: token)
      try await bench.wait(slow, for: "working")
      for _ in 0..<5 {
        // Quick: a poll comes every five seconds.
        let quick = try bench.askHeavy()
        try await bench.wait(quick, for: "answered", within: .seconds(8))
      }
      #expect(try bench.row(slow.id)?.state == "working")
      try bench.database.query("SELECT pg_advisory_unlock(1)")
      try await bench.wait(slow, for: "answered")
    }
  }
}
