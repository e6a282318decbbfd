import AppStore
import PostgreSQL
import Simulation
import Store
import TestSupport
import Testing

@testable import Daemon

/// One after the other: their leases are short, and a machine that is busy with all at once is late.
@Suite("The owners, on a real server", .serialized) struct OwnerTests {
  @Test("D-03: a slow Apple and a short lease: renewed while it lasts, one PUT by two daemons")
  func slowApple() async throws {
    let house = try House(lease: .seconds(15), requestTimeout: .seconds(12))
    var connection = try house.connect()
    try connection.script(
      """
      CREATE TABLE renewal (at timestamptz);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO public.renewal VALUES (now()); RETURN NULL; END $$;
      CREATE TRIGGER note AFTER UPDATE ON consumptiond.lease FOR EACH ROW EXECUTE FUNCTION note();
      """, timeout: .seconds(10))
    house.store.fail(.slow(.seconds(6)))
    try await house.withDaemon { _ in
      try await house.withDaemon { _ in
        _ = try house.ask()
        try await house.wait("it is answered") {
          try house.value("SELECT state FROM consumptiond.request") == "answered"
        }
      }
    }
    #expect(house.store.requests.count == 1)
    #expect(try house.value("SELECT attempts FROM consumptiond.request") == "1")
    #expect(try house.value("SELECT count(*) > 0 FROM renewal") == "t")
  }

  @Test("A lease is renewed as long as its queries run") func slowQueries() async throws {
    let house = try House(lease: .seconds(2), requestTimeout: .seconds(1))
    var lock = try house.connect()
    try await house.withDaemon { _ in
      try await house.withDaemon { _ in
        _ = try lock.query("BEGIN")
        _ = try lock.query("LOCK TABLE account")
        _ = try house.ask()
        try await house.wait("it is claimed") {
          try house.value("SELECT state FROM consumptiond.request") == "working"
        }
        // Three times the lease.
        let claimed = ContinuousClock.now
        try await house.wait("it was renewed") { ContinuousClock.now > claimed + .seconds(6) }
        #expect(house.events("worker_gone") == 0)
        _ = try lock.query("COMMIT")
        try await house.wait("it is answered") {
          try house.value("SELECT state FROM consumptiond.request") == "answered"
        }
      }
    }
    #expect(house.store.requests.count == 1)
  }

  @Test("Away for longer than the lease, with Apple's answer in hand: recorded, not sent again")
  func outageBeyondLease() async throws {
    let server = try PostgresServer.start()
    defer { server.remove() }
    let house = try House(on: server, lease: .seconds(6), requestTimeout: .seconds(4))
    house.store.fail(.slow(.seconds(1)))
    try await house.withDaemon { _ in
      _ = try house.ask()
      let arrived = await house.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      try server.stop(.immediate)
      let stopped = ContinuousClock.now
      let ended = await house.store.wait { $0.allSatisfy { !$0.isInFlight } }
      #expect(ended)
      try await house.wait("the lease has run out") { ContinuousClock.now > stopped + .seconds(7) }
      try server.start()
      try await house.wait("it is answered") {
        try house.value("SELECT state FROM consumptiond.request") == "answered"
      }
      #expect(house.store.requests.count == 1)
      #expect(try house.value("SELECT state_reason FROM consumptiond.request") == nil)
      try await house.wait("it is said") { house.events("database_back") == 1 }
      #expect(house.events("database_unreachable") == 1)
    }
  }

  @Test("A lease too short for a request: nothing is sent, and nothing counted") func tooShort()
    async throws
  {
    let house = try House(lease: .seconds(2), requestTimeout: .seconds(15))
    try await house.withDaemon { _ in
      _ = try house.ask()
      try await house.wait("it is decided") {
        try house.value("SELECT decided_at IS NOT NULL FROM consumptiond.request_evidence") == "t"
      }
    }
    #expect(house.store.requests.isEmpty)
    #expect(try house.value("SELECT count(*) FROM consumptiond.attempt") == "0")
    #expect(try house.value("SELECT state FROM consumptiond.request") == "queued")
  }

  @Test("stop() before run() ends it all the same") func earlyStop() async throws {
    let house = try House(lease: .seconds(45))
    var connection = try house.connect()
    let daemon = Daemon(
      house.settings, queries: try QueryCompiler.compile(house.settings.queries, on: &connection),
      log: Log { _ in }, drain: false)
    daemon.stop()
    #expect(await daemon.run() == .finished)
  }

  @Test("What a worker without a lease notes about the customer changes nothing") func fencedNote()
    async throws
  {
    let house = try House(lease: .seconds(45))
    try await house.withDaemon { _ in
      _ = try house.ask()
      try await house.wait("it is answered") {
        try house.value("SELECT state FROM consumptiond.request") == "answered"
      }
    }
    var connection = try house.connect()
    let stale = Finishing.note(
      1, customer: "99", consent: nil, token: "00000000-0000-0000-0000-000000000000")
    _ = try connection.query(stale.sql, stale.parameters)
    let held = Finishing.note(1, customer: "99", consent: nil)
    _ = try connection.query(held.sql, held.parameters)
    #expect(try house.value("SELECT customer FROM consumptiond.request") == "1")
    #expect(try house.value("SELECT consent ->> 'granted' FROM consumptiond.request") == "true")
  }

  @Test("A worker notes the customer and his no, so that people see at once why it is held")
  func notedNo() async throws {
    let house = try House(lease: .seconds(45))
    var connection = try house.connect()
    _ = try connection.query("UPDATE account SET consents = false")
    try await house.withDaemon { _ in
      _ = try house.ask()
      try await house.wait("it is held") {
        try house.value("SELECT state FROM consumptiond.request") == "held"
      }
    }
    #expect(try house.value("SELECT customer FROM consumptiond.request") == "1")
    #expect(try house.value("SELECT consent ->> 'granted' FROM consumptiond.request") == "false")
  }

  @Test("Withdrawn while the deadline passes: withheld, not held for ever") func withdrawnTooLate()
    async throws
  {
    let house = try House(
      lease: .seconds(45),
      consent: """
        SELECT consents FROM account
        WHERE id = $customer AND pg_advisory_xact_lock_shared(1)::text = ''
        """)
    var gate = try house.connect()
    _ = try gate.query("SELECT pg_advisory_lock(1)")
    try await house.withDaemon { _ in
      _ = try house.ask()
      try await house.wait("consent is asked for") {
        try house.value(
          "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory' "
            + "AND datname = current_database()") == "1"
      }
      // The question under way still sees the yes; the one before the send does not.
      _ = try gate.query("UPDATE account SET consents = false")
      _ = try gate.query("UPDATE consumptiond.request_state SET deadline = clock_timestamp()")
      _ = try gate.query("SELECT pg_advisory_unlock(1)")
      try await house.wait("it has ended") {
        try house.value("SELECT state FROM consumptiond.request") == "withheld"
      }
    }
    #expect(house.store.requests.isEmpty)
    #expect(try house.value("SELECT late FROM consumptiond.request") == "t")
    #expect(try house.value("SELECT state_reason FROM consumptiond.request") == "no_consent")
    #expect(try house.value("SELECT count(*) FROM consumptiond.attempt") == "0")
  }

  @Test("Apple decides while an attempt is in flight: no other follows") func settledInFlight()
    async throws
  {
    let house = try House(lease: .seconds(45))
    house.store.fail(Fault(.answer(ServerAnswer(500)), delay: .seconds(2)))
    try await house.withDaemon { _ in
      let transaction = try house.ask()
      try await house.wait("it is with Apple") { !house.store.requests.isEmpty }
      let payload = try house.signer.refund(
        transaction: .subscription(
          id: transaction, originalId: "12345", token: House.token,
          purchased: .now() - .seconds(86_400), expires: .now() + .seconds(86_400)))
      var connection = try house.connect()
      _ = try connection.query("SELECT consumptiond.enqueue($1)", [.text(payload)])
      try await house.wait("it is settled") {
        try house.value("SELECT state FROM consumptiond.request") == "settled"
      }
    }
    #expect(house.store.requests.count == 1)
    #expect(try house.value("SELECT result FROM consumptiond.attempt") == "retry")
  }

  @Test("An app that nobody answers for any more: its requests end as missed") func abandoned()
    async throws
  {
    let house = try House(lease: .seconds(45))
    var connection = try house.connect()
    _ = try connection.query(
      """
      WITH i AS (
        INSERT INTO consumptiond.inbox (sha256, done) VALUES ('a', true), ('b', true) RETURNING id)
      INSERT INTO consumptiond.request_state (id, bundle_id, environment, transaction_id, signed_at,
        deadline, state)
      SELECT id, 'com.example.gone', 'Production', id::text, at, at + interval '12 hours', 'queued'
      FROM (SELECT id, now() - row_number() OVER (ORDER BY id) * interval '23 hours' AS at FROM i) i
      """)
    try await house.withDaemon { _ in
      try await house.wait("one has ended, the other is late") {
        try house.value(
          "SELECT string_agg(concat_ws(' ', state, state_reason, late), ', ' ORDER BY id) "
            + "FROM consumptiond.request_state") == "queued t, missed no_worker t"
      }
    }
    #expect(house.events("missed") == 1)
  }
}
