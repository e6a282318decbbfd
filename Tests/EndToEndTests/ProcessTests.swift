import AppStore
import Foundation
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("The process") struct ProcessTests {
  @Test("SIGTERM: what is with Apple gets its time and is recorded, the rest is handed back")
  func gracefulEnd() async throws {
    try await Bench.run {
      $0["worker"] = ["concurrency": 1]
    } _: { bench in
      bench.store.fail(.slow(.seconds(3)), times: 1)
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      let first = try bench.askHeavy()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      let second = try bench.askHeavy()
      try await until("the second is queued") { try bench.row(second.id) != nil }
      #expect(try await daemon.stop(within: .seconds(15)) == .exit(0))
      #expect(try bench.row(first.id)?.state == "answered")
      #expect(try bench.row(second.id)?.state == "queued")
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.lease") == "0")
      #expect(bench.store.requests.count == 1)
      #expect(daemon.events("stopped").count == 1)
    }
  }

  @Test("SIGTERM with a silent Apple: exit 0 within 15 s, unknown, and the lease runs out")
  func silentApple() async throws {
    try await Bench.run { bench in
      bench.store.fail(.silence, times: 1)
      let daemon = try bench.daemon()
      let asked = try bench.askHeavy()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      let start = ContinuousClock.now
      #expect(try await daemon.stop(within: .seconds(16)) == .exit(0))
      #expect(ContinuousClock.now - start > .seconds(10))
      let row = try bench.row(asked.id).orThrow("the row")
      #expect(row.state == "working")
      #expect(row.tries.map { $0["result"]?.string } == ["unknown"])
      #expect(daemon.events("outcome_unknown").count == 1)
      // Until then nobody else sends it.
      #expect(
        try bench.database.isTrue(
          "SELECT until > clock_timestamp() FROM consumptiond.lease"))
      try bench.daemon()
      let after = try await bench.wait(asked, for: "answered", within: .seconds(60))
      #expect(after.reason == "repeat")
      #expect(Set(bench.bodies(asked)).count == 1)
    }
  }

  @Test("A second signal ends it at once") func secondSignal() async throws {
    try await Bench.run { bench in
      bench.store.fail(.silence)
      let daemon = try bench.daemon()
      _ = try bench.askHeavy()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      let listens = """
        SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%')
        """
      try await until("it listens") { try bench.database.isTrue(listens) }
      daemon.send(SIGTERM)
      try await until("it prepares to end") { try !bench.database.isTrue(listens) }
      #expect(daemon.hasEnded == nil)
      daemon.send(SIGTERM)
      let end = try await daemon.waitForEnd(within: .seconds(5))
      #expect(end == .exit(75))
    }
  }

  @Test("SIGTERM cancels a slow query and hands its request back", arguments: [1, 2])
  func slowQuery(queries: Int) async throws {
    try await Bench.run { bench in
      let account = try bench.account()
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      let lock = try TableLock("account", in: bench.database)
      defer { lock.release() }
      let asked = try bench.ask(token: account.token)
      try await until("the customer is looked for") { try bench.database.isAwaited("account") }
      let start = ContinuousClock.now
      #expect(try await daemon.stop(within: .seconds(8)) == .exit(0))
      #expect(ContinuousClock.now - start < .seconds(6))
      let row = try bench.row(asked.id).orThrow("the row")
      #expect(row.state == "queued")
      #expect(row["last_error"] == nil)
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.lease") == "0")
    }
  }

  @Test("SIGTERM while the database is away, and while everything is locked")
  func withoutDatabase() async throws {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      let lock = try TableLock("consumptiond.request_state", in: bench.database)
      defer { lock.release() }
      _ = try bench.enqueue("x")
      try await until("it waits") { try bench.database.isAwaited("consumptiond.request_state") }
      #expect(try await daemon.stop(within: .seconds(15)) == .exit(0))
    }
    try await Bench.run {
      $0["database"] = "host=127.0.0.1 port=1 dbname=x user=x sslmode=disable"
    } _: { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("database_unreachable")
      #expect(try await daemon.stop(within: .seconds(8)) == .exit(0))
    }
  }

  @Test("SIGTERM as early as can be", arguments: [0, 30, 80, 150]) func early(milliseconds: Int)
    async throws
  {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      try await Task.sleep(for: .milliseconds(milliseconds))
      daemon.send(SIGTERM)
      let end = try await daemon.waitForEnd(within: .seconds(15))
      // Before its first instruction the signal has its default effect.
      #expect(end == .exit(0) || end == .signal(SIGTERM))
    }
  }

  @Test("E-14: on one processor, with a silent Apple and a locked table, SIGTERM still works")
  func oneProcessor() async throws {
    try await Bench.run { bench in
      bench.store.fail(.silence)
      let daemon = try bench.daemon(wrapper: ["taskset", "-c", "0"])
      try await daemon.waitForEvent("started")
      for _ in 0..<4 { _ = try bench.askHeavy() }
      let arrived = await bench.store.wait(.seconds(30)) { $0.count == 4 }
      #expect(arrived)
      let account = try bench.account()
      let lock = try TableLock("account", in: bench.database)
      defer { lock.release() }
      _ = try bench.ask(token: account.token)
      try await until("a lane hangs") { try bench.database.isAwaited("account") }
      #expect(try await daemon.stop(within: .seconds(16)) == .exit(0))
    }
  }

  @Test("E-01: a dead TLS connection written to ends nothing") func brokenPipe() async throws {
    let authority = try LoopbackAuthority()
    let tls = try authority.server()
    try await Bench.run(tls: tls) { bench in
      try authority.pem.write(
        toFile: bench.configuration.folder + "/tls.pem", atomically: true, encoding: .utf8)
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      bench.store.fail(.closeAfterAnswer, times: 3)
      bench.store.fail(.reset, times: 2)
      for _ in 0..<5 {
        let asked = try bench.askHeavy()
        let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
        // A request that is written to a connection that is gone arrives nowhere.
        #expect(row.attempts >= bench.bodies(asked).count)
      }
      #expect(daemon.hasEnded == nil)
      #expect(try await daemon.stop() == .exit(0))
    }
  }

  @Test("D-07: with nothing to do it sleeps, also after its listener died") func idle()
    async throws
  {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      try await bench.wait(bench.askHeavy(), for: "answered")
      try await bench.database.endBackends()
      try await bench.wait(bench.askHeavy(), for: "answered")
      let before = try daemon.processorTime()
      try await Task.sleep(for: .seconds(4))
      #expect(try daemon.processorTime() - before < .milliseconds(200))
    }
  }

  @Test("C-13: no token, payload or key in a log or a table") func secrets() async throws {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      bench.store.fail(.status(401), times: 1)
      bench.store.fail(.code(4_000_209), times: 1)
      bench.store.fail(.reset, times: 1)
      var asked: [Asked] = []
      for _ in 0..<4 { asked.append(try bench.askHeavy()) }
      _ = try bench.ask(token: bench.account(consents: false).token)
      for forgery in Forgery.allCases {
        _ = try bench.enqueue(
          bench.signer.forged(forgery, transaction: bench.subscription(token: nil)))
      }
      _ = try bench.enqueue("eyJhbGciOiJFUzI1NiJ9.eyJ4IjoxfQ.AAAA")
      for one in asked { try await bench.wait(one, for: "answered") }
      try await until("everything is read") {
        try bench.database.isTrue("SELECT bool_and(done) FROM consumptiond.inbox")
      }
      _ = try await daemon.stop()
      // Every column of every table, the payloads of the inbox apart.
      let columns = try bench.database.query(
        """
        SELECT format('SELECT %L, %I::text AS text FROM consumptiond.%I', c.table_name || '.' || c.column_name, c.column_name, c.table_name)
        FROM information_schema.columns c
        WHERE c.table_schema = 'consumptiond' AND (c.table_name, c.column_name) <> ('inbox', 'payload')
        """
      ).compactMap { $0[0] }
      #expect(columns.count > 60)
      let found = try bench.database.query(
        "SELECT * FROM (\(columns.joined(separator: " UNION ALL "))) x (name, text) WHERE text ~ 'eyJ|BEGIN|Bearer|PRIVATE'"
      )
      #expect(found.isEmpty, "\(found)")
      for word in ["eyJ", "BEGIN", "Bearer", "PRIVATE"] { #expect(!bench.logs.contains(word)) }
      // Nor people and what they cost.
      let tokens = try bench.database.query("SELECT app_account_token FROM account")
      for token in tokens { #expect(try !bench.logs.contains(token[0].orThrow("token"))) }
      #expect(daemon.events().count == bench.logs.split(separator: "\n").count)
    }
  }
}
