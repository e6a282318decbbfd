import AppStore
import Foundation
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("The database in trouble") struct OutageTests {
  private func ownServer(_ settings: [String: String] = [:]) async throws -> BenchServer {
    try await offThePool { try BenchServer(PostgresServer.start(extraSettings: settings)) }
  }

  @Test("Away at the start: waited for, said once, then everything is answered")
  func awayAtTheStart() async throws {
    let own = try await ownServer()
    defer { own.server.remove() }
    try await Bench.run(on: own) { bench in
      let asked = try bench.askHeavy()
      bench.database.close()
      try own.server.stop()
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("database_unreachable")
      try own.server.start()
      try await bench.wait(asked, for: "answered", within: .seconds(30))
      #expect(daemon.events("database_unreachable").count == 1)
    }
  }

  @Test("Away in mid-work: nothing is lost, the result is recorded and not sent again")
  func awayInMidWork() async throws {
    let own = try await ownServer()
    defer { own.server.remove() }
    try await Bench.run(on: own) { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      bench.store.fail(.slow(.seconds(2)), times: 1)
      let asked = try bench.askHeavy()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      bench.database.close()
      try own.server.stop(.immediate)
      let ended = await bench.store.wait(.seconds(30)) { $0.allSatisfy { !$0.isInFlight } }
      #expect(ended)
      try await daemon.waitForEvent("database_unreachable")
      try own.server.start()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(30))
      #expect(row.attempts == 1)
      #expect(bench.bodies(asked).count == 1)
      try await bench.wait(bench.askHeavy(), for: "answered", within: .seconds(30))
      try await daemon.waitForEvent("database_back")
      #expect(daemon.events("database_unreachable").count == 1)
      #expect(daemon.events("database_back").count == 1)
    }
  }

  @Test("Every connection ended, again and again, under load") func terminated() async throws {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      bench.store.fail(.slow(.milliseconds(30)))
      var asked: [Asked] = []
      for _ in 0..<8 {
        for _ in 0..<6 { asked.append(try bench.askHeavy()) }
        let seen = bench.store.requests.count
        let came = await bench.store.wait(.seconds(60)) { $0.count > seen }
        #expect(came)
        try await bench.database.endBackends()
      }
      for one in asked {
        let row = try await bench.wait(one, for: "answered", within: .seconds(60))
        // The process never died: what it knew was accepted it never sent again.
        #expect(bench.bodies(one).count == 1)
        #expect(row.attempts == 1)
      }
      #expect(bench.store.overlaps.isEmpty)
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.lease") == "0")
    }
  }

  @Test("D-09: a server that takes no writes: no PUT without a written claim") func readOnly()
    async throws
  {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      let name = bench.database.name
      try bench.database.query("ALTER DATABASE \(name) SET default_transaction_read_only = on")
      try await bench.database.endBackends()
      try bench.database.query("SET default_transaction_read_only = off")
      let asked = try bench.askHeavy()
      try await daemon.waitForEvent("database_unreachable")
      try bench.database.query("ALTER DATABASE \(name) SET default_transaction_read_only = off")
      #expect(bench.store.requests.isEmpty)
      try await bench.wait(asked, for: "answered")
      try await daemon.waitForEvent("database_back")
      #expect(daemon.events("database_unreachable").count == 1)
      #expect(bench.bodies(asked).count == 1)
    }
  }

  @Test("D-09: read-only on connections that stay: thrown away, said once") func readOnlyInPlace()
    async throws
  {
    let own = try await ownServer()
    defer { own.server.remove() }
    try await Bench.run(on: own) { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      // The request's row is there before; the claim is what cannot be written.
      try bench.database.query("ALTER SYSTEM SET default_transaction_read_only = on")
      try bench.database.query("SELECT pg_reload_conf()")
      try await until("the server takes no writes") {
        try bench.database.value("SHOW default_transaction_read_only") == "on"
      }
      try bench.database.query("SET default_transaction_read_only = off")
      let asked = try bench.askHeavy()
      try await daemon.waitForEvent("database_unreachable")
      #expect(bench.store.requests.isEmpty)
      try bench.database.query("ALTER SYSTEM RESET default_transaction_read_only")
      try bench.database.query("SELECT pg_reload_conf()")
      try await bench.wait(asked, for: "answered")
      try await daemon.waitForEvent("database_back")
      #expect(daemon.events("database_unreachable").count == 1)
    }
  }

  @Test("D-12: no transaction is open while Apple thinks") func idleInTransaction() async throws {
    try await Bench.run { bench in
      let name = bench.database.name
      try bench.database.query(
        "ALTER DATABASE \(name) SET idle_in_transaction_session_timeout = '500ms'")
      bench.store.fail(.slow(.seconds(2)))
      let daemon = try bench.daemon()
      let asked = try [bench.askHeavy(), bench.askHeavy()]
      let arrived = await bench.store.wait(.seconds(30)) { $0.count == 2 }
      #expect(arrived)
      #expect(
        try bench.database.value(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'
          """) == "0")
      for one in asked {
        #expect(try await bench.wait(one, for: "answered").attempts == 1)
      }
      #expect(daemon.events("database_unreachable").isEmpty)
    }
  }

  @Test("D-06, D-07: a listener that died comes back, and a poll sees what it missed")
  func listener() async throws {
    try await Bench.run { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      for _ in 0..<3 {
        try bench.database.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN%'
          """)
        try await bench.wait(bench.askHeavy(), for: "answered")
      }
      try await until("it listens again") {
        try bench.database.isTrue(
          """
          SELECT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN%')
          """)
      }
    }
  }

  @Test("D-06: a network that swallows everything: back within seconds of its healing")
  func stalledNetwork() async throws {
    let server = try BenchServer.shared().server
    let proxy = Locked(try StallingProxy(to: server.port))
    defer { proxy.withLock { $0.close() } }
    let port = proxy.withLock { $0.port }
    try await Bench.run {
      // Only the listener goes that way; what it does not hear the poll finds.
      $0["listen"] = .string(
        "host=127.0.0.1 port=\(port) dbname=postgres user=postgres sslmode=disable")
    } _: { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      proxy.withLock { $0.stall() }
      try await bench.wait(bench.askHeavy(), for: "answered")
    }
  }

  @Test("D-08: through PgBouncer in transaction mode", .enabled(if: PgBouncer.isAvailable))
  func pgBouncer() async throws {
    let server = try BenchServer.shared().server
    let bouncer = try await offThePool { try PgBouncer.start(for: server) }
    defer { bouncer.stop() }
    try await Bench.run {
      $0["listen"] = "off"
    } then: { bench, configuration in
      configuration["database"] = .string(
        server.loopbackConninfo(database: bench.name, port: bouncer.port))
    } _: { bench in
      let daemons = [try bench.daemon(), try bench.daemon()]
      for daemon in daemons { try await daemon.waitForEvent("started") }
      var asked: [Asked] = []
      for _ in 0..<20 { asked.append(try bench.askHeavy()) }
      for one in asked { #expect(try await bench.wait(one, for: "answered").attempts == 1) }
      #expect(bench.store.requests.count == 20)
      for daemon in daemons {
        #expect(daemon.events("database_error").isEmpty)
        #expect(daemon.events("database_unreachable").isEmpty)
        #expect(try await daemon.stop() == .exit(0))
      }
    }
  }

  @Test("E-10: fifty bad signatures among good ones, over TLS, cost no connection")
  func errorQueue() async throws {
    let own = try await ownServer()
    defer { own.server.remove() }
    try await own.useTLS()
    try await Bench.run(on: own) { _ in
    } then: { database, configuration in
      configuration["database"] = .string(
        "host=127.0.0.1 port=\(own.server.port) dbname=\(database.name) user=postgres sslmode=require"
      )
    } _: { bench in
      let daemon = try bench.daemon()
      try await daemon.waitForEvent("started")
      let (_, token) = try bench.account()
      let forgeries: [Forgery] = [.otherKey, .otherRoot, .shortSignature, .unmarkedLeaf]
      var good: [Asked] = []
      // Whoever connects when it has something to do has done so now.
      try await bench.wait(bench.ask(token: token), for: "answered")
      let before = try bench.backends()
      #expect(before.count >= 6)
      for number in 0..<50 {
        _ = try bench.enqueue(
          bench.signer.forged(
            forgeries[number % forgeries.count], transaction: bench.subscription(token: token)))
        good.append(try bench.ask(token: token))
      }
      for one in good { try await bench.wait(one, for: "answered") }
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.rejected") == "50")
      // The same connections as before: none was lost on the way.
      #expect(try before.isSubset(of: bench.backends()))
      #expect(daemon.events("database_unreachable").isEmpty)
      #expect(daemon.events("database_error").isEmpty)
      #expect(
        try bench.database.isTrue(
          """
          SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE datname = current_database() AND client_addr IS NOT NULL
          """))
    }
  }
}

extension Bench {
  /// The processes of the daemons' connections.
  func backends() throws -> Set<String> {
    Set(
      try database.query(
        """
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND backend_type = 'client backend'
        """
      ).compactMap { $0[0] })
  }
}

extension BenchServer {
  /// Has the server speak TLS with a certificate of its own.
  func useTLS() async throws {
    let data = "\(server.folder)/data"
    _ = try await offThePool {
      try shell(
        """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
          -subj /CN=localhost -keyout \(data)/server.key -out \(data)/server.crt
        chmod 600 \(data)/server.key
        chown --reference=\(data) \(data)/server.key \(data)/server.crt
        """)
    }
    var admin = try server.connect(to: "postgres")
    _ = try admin.query("ALTER SYSTEM SET ssl = on")
    _ = try admin.query("SELECT pg_reload_conf()")
    let info = try Conninfo(
      "host=127.0.0.1 port=\(server.port) dbname=postgres user=postgres sslmode=require")
    try await until("the server speaks TLS") {
      (try? Connection(info, timeout: .seconds(5))) != nil
    }
  }
}
