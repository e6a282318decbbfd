import AppStore
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("--drain") struct DrainTests {
  @Test("Ends at once when there is nothing") func nothing() async throws {
    try await Bench.run { bench in
      try await bench.drain()
    }
  }

  @Test("What is held or waits for later stays; the rest is done") func held() async throws {
    try await Bench.run { bench in
      let silent = try bench.ask(token: bench.account(consents: false).token)
      let limited = try bench.askHeavy()
      bench.store.fail(.rateLimited(.seconds(3600)), transaction: limited.transaction)
      let good = try bench.askHeavy()
      try await bench.drain()
      #expect(try bench.row(silent.id)?.state == "held")
      #expect(try bench.row(limited.id)?.state == "waiting")
      #expect(try bench.row(good.id)?.state == "answered")
      // A second time there is nothing to do.
      try await bench.drain()
      #expect(bench.bodies(limited).count == 1)
    }
  }

  @Test("A look that is due is taken") func dueLook() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account(consents: false)
      let asked = try bench.ask(token: token)
      try await bench.drain()
      try bench.database.query("UPDATE consent SET granted = true WHERE account_id = $1", .int(id))
      try bench.database.query(
        "UPDATE consumptiond.request_state SET next_attempt_at = clock_timestamp()")
      try await bench.drain()
      #expect(try bench.row(asked.id)?.state == "answered")
    }
  }

  @Test("Another one's lease is waited for, and taken over when it has run out") func takeOver()
    async throws
  {
    try await Bench.run { bench in
      bench.store.fail(.silence, times: 1)
      let asked = try bench.askHeavy()
      let daemon = try bench.daemon()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      try await daemon.killHard()
      try await bench.drain(within: .seconds(70))
      #expect(try bench.row(asked.id)?.state == "answered")
    }
  }

  @Test("Slow: the database is away for half a minute: exit 69", arguments: [true, false])
  func databaseAway(fromTheStart: Bool) async throws {
    let own = try await offThePool { try BenchServer(PostgresServer.start()) }
    defer { own.server.remove() }
    try await Bench.run(on: own) { bench in
      bench.store.fail(.silence)
      _ = try bench.askHeavy()
      if fromTheStart {
        bench.database.close()
        try own.server.stop()
      }
      let daemon = try bench.daemon("--drain")
      if !fromTheStart {
        let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
        #expect(arrived)
        bench.database.close()
        try own.server.stop()
      }
      let start = ContinuousClock.now
      let end = try await daemon.waitForEnd(within: .seconds(70))
      #expect(end == .exit(69))
      #expect(ContinuousClock.now - start > .seconds(25))
    }
  }
}
