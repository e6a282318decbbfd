import AppStore
import PostgreSQL
import Simulation
import Testing

@Suite("B-02: no consent, no request") struct ConsentTests {
  struct Variant: Sendable, CustomTestStringConvertible {
    let name: String
    /// Run for account $1.
    let sql: String
    let state: String
    let reason: String
    var testDescription: String { name }
  }

  static let variants = [
    Variant(name: "none", sql: "SELECT $1::bigint", state: "held", reason: "no_consent"),
    Variant(
      name: "false", sql: "INSERT INTO consent VALUES ($1, false)", state: "held",
      reason: "no_consent"),
    Variant(
      name: "null", sql: "INSERT INTO consent VALUES ($1, NULL)", state: "held",
      reason: "no_consent"),
    Variant(
      name: "dated ahead",
      sql: "INSERT INTO consent VALUES ($1, true, now() + interval '10 minutes')", state: "held",
      reason: "no_consent"),
    Variant(
      name: "contradictory", sql: "INSERT INTO consent VALUES ($1, true), ($1, false)",
      state: "held", reason: "consent_ambiguous"),
    Variant(
      name: "twice", sql: "INSERT INTO consent VALUES ($1, true), ($1, true)", state: "held",
      reason: "consent_ambiguous"),
  ]

  @Test("Whatever is not an explicit, current yes is held", arguments: variants)
  func held(variant: Variant) async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account(consents: nil)
      try bench.database.query(variant.sql, .int(id))
      let asked = try bench.ask(token: token)
      try await bench.drain()
      let row = try await bench.wait(asked, for: variant.state)
      #expect(row.reason == variant.reason)
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("A query that fails is no yes: it waits, and is asked again") func failing() async throws {
    try await Bench.run {
      $0["consent", "query"] =
        "SELECT granted, at FROM consent WHERE account_id = $customer AND 1 / at_hand() = 1"
    } _: { bench in
      try bench.database.query(
        """
        CREATE TABLE hand (n integer);
        """)
      try bench.database.query("INSERT INTO hand VALUES (0)")
      try bench.database.query(
        "CREATE FUNCTION at_hand() RETURNS integer LANGUAGE sql STABLE AS 'SELECT n FROM hand'")
      let asked = try bench.ask(token: bench.account().token)
      try bench.daemon()
      let row = try await bench.wait(asked, for: "waiting")
      #expect(row.reason == "consent_unavailable")
      #expect(row["last_error"]?.contains("22012") == true)
      #expect(bench.store.requests.isEmpty)
      try bench.database.query("UPDATE hand SET n = 1")
      try await bench.wait(asked, for: "answered")
    }
  }

  @Test("Withdrawn between the decision and the send: nothing goes out") func beforeSend()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try await bench.daemon().waitForEvent("started")
      // It comes as far as storing its decision.
      let gate = try TableLock("account", in: bench.database)
      let asked = try bench.ask(token: token)
      try await until("the customer is asked for") { try bench.database.isAwaited("account") }
      let evidence = try TableLock(
        "consumptiond.request_evidence", mode: "EXCLUSIVE", in: bench.database)
      gate.release()
      try await until("the decision is to be stored") {
        try bench.database.isAwaited("consumptiond.request_evidence")
      }
      try bench.database.query("UPDATE consent SET granted = false WHERE account_id = $1", .int(id))
      evidence.release()
      let row = try await bench.wait(asked, for: "held")
      #expect(row.reason == "no_consent")
      #expect(row.attempts == 0)
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("Withdrawn while the attempt is written down: nothing goes out, and nothing did")
  func beforeTheWire() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try await bench.daemon().waitForEvent("started")
      let gate = try TableLock("account", in: bench.database)
      let asked = try bench.ask(token: token)
      try await until("the customer is asked for") { try bench.database.isAwaited("account") }
      let attempts = try TableLock("consumptiond.attempt", mode: "EXCLUSIVE", in: bench.database)
      gate.release()
      try await until("the attempt is to be written down") {
        try bench.database.isAwaited("consumptiond.attempt")
      }
      try bench.database.query("UPDATE consent SET granted = false WHERE account_id = $1", .int(id))
      attempts.release()
      let row = try await bench.wait(asked, for: "held")
      #expect(row.reason == "no_consent")
      #expect(row.attempts == 0)
      #expect(row.tries.isEmpty)
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("Withdrawn while the query for another customer takes its time: nothing goes out")
  func besideASlowOne() async throws {
    try await Bench.run {
      $0["consent", "query"] =
        "SELECT granted, at FROM consent WHERE account_id = $customer AND at_hand(account_id)"
    } _: { bench in
      let (first, token) = try bench.account()
      let (slow, otherToken) = try bench.account()
      try bench.database.query("CREATE TABLE hand (n integer)")
      try bench.database.query(
        """
        CREATE FUNCTION at_hand(account bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        BEGIN
            IF account = \(slow) THEN PERFORM FROM hand; END IF;
            RETURN true;
        END $$
        """)
      let attempts = try TableLock("consumptiond.attempt", mode: "EXCLUSIVE", in: bench.database)
      // Both in one batch, and the one that consents quickly is due first.
      let asked = try bench.ask(token: token, signedAt: .now() - .seconds(3600))
      let other = try bench.ask(token: otherToken)
      try bench.daemon()
      try await until("the attempts are to be written down") {
        try bench.database.isAwaited("consumptiond.attempt")
      }
      // Two lanes may have taken one each; then nobody waits for the other, and there is nothing to show.
      try await Task.sleep(for: .milliseconds(300))
      let lanes = try bench.database.value(
        "SELECT count(*) FROM pg_locks WHERE relation = 'consumptiond.attempt'::regclass AND NOT granted"
      )
      guard lanes == "1" else { return attempts.release() }
      let hand = try TableLock("hand", in: bench.database)
      attempts.release()
      try await until("the slow one is asked for") { try bench.database.isAwaited("hand") }
      try bench.database.query(
        "UPDATE consent SET granted = false WHERE account_id = $1", .int(first))
      try await Task.sleep(for: .milliseconds(600))
      hand.release()
      let row = try await bench.wait(asked, for: "held")
      #expect(row.reason == "no_consent")
      #expect(row.attempts == 0)
      try await bench.wait(other, for: "answered")
      #expect(bench.bodies(asked).isEmpty)
    }
  }

  @Test("Withdrawn between two attempts: no second one") func betweenAttempts() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      bench.store.fail(.rateLimited(.seconds(600)))
      let asked = try bench.ask(token: token)
      try bench.daemon()
      try await bench.wait(asked, for: "waiting")
      try bench.database.query("UPDATE consent SET granted = false WHERE account_id = $1", .int(id))
      bench.store.recover()
      try bench.database.query(
        "UPDATE consumptiond.request_state SET next_attempt_at = clock_timestamp() WHERE id = $1",
        .int(asked.id))
      let row = try await bench.wait(asked, for: "held")
      #expect(row.reason == "no_consent")
      #expect(row.attempts == 1)
      #expect(bench.bodies(asked).count == 1)
    }
  }

  @Test("Decided for one customer, it is not sent by another's consent") func otherCustomer()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      let (other, _) = try bench.account()
      bench.store.fail(.rateLimited(.seconds(600)))
      let asked = try bench.ask(token: token)
      try bench.daemon()
      try await bench.wait(asked, for: "waiting")
      // The purchase moves to an account that consents, away from one that no longer does.
      try bench.database.query(
        "UPDATE account SET app_account_token = NULL WHERE id = $1", .int(id))
      try bench.database.query(
        "UPDATE account SET app_account_token = $2::uuid WHERE id = $1", .int(other),
        .inferred(token))
      try bench.database.query("UPDATE consent SET granted = false WHERE account_id = $1", .int(id))
      bench.store.recover()
      try bench.database.query(
        "UPDATE consumptiond.request_state SET next_attempt_at = clock_timestamp() WHERE id = $1",
        .int(asked.id))
      let row = try await bench.wait(asked, for: "held")
      #expect(row.reason == "customer_ambiguous")
      #expect(bench.bodies(asked).count == 1)
    }
  }

  @Test("Consent that comes later is noticed, and what was decided is sent") func later()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account(consents: false)
      let asked = try bench.ask(token: token)
      try bench.daemon()
      try await bench.wait(asked, for: "held")
      try bench.database.query("UPDATE consent SET granted = true WHERE account_id = $1", .int(id))
      // The look that is due within a minute, now.
      try bench.database.query(
        "UPDATE consumptiond.request_state SET next_attempt_at = clock_timestamp() WHERE id = $1",
        .int(asked.id))
      try await bench.wait(asked, for: "answered")
    }
  }

  @Test("At the deadline what was held is withheld, without an attempt") func deadline()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account(consents: nil)
      try bench.database.query("INSERT INTO consent VALUES ($1, true), ($1, false)", .int(id))
      let asked = try bench.ask(token: token)
      let stranger = try bench.ask(token: "7e3fb20b-4cdb-47cc-936d-99d65f608138")
      try bench.daemon()
      for one in [asked, stranger] {
        try await bench.wait(one, for: "held")
        try bench.database.query(
          "UPDATE consumptiond.request_state SET deadline = clock_timestamp() WHERE id = $1",
          .int(one.id))
      }
      #expect(try await bench.wait(asked, for: "withheld").reason == "no_consent")
      #expect(try await bench.wait(stranger, for: "withheld").reason == "customer_unknown")
      #expect(bench.store.requests.isEmpty)
    }
  }
}
