import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("Waits, deadlines and held requests") struct MaintenanceTests {
  private let database: QueueDatabase

  init() throws { database = try QueueDatabase() }

  @Test("What waits is queued when its moment has come, not before") func promote() throws {
    var connection = try database.connect()
    let due = try connection.insertRequests(
      2, state: "waiting", reason: "retry", nextAttempt: "now() - $1 * interval '1 second'")
    let later = try connection.insertRequests(state: "waiting", reason: "retry")
    let held = try connection.insertRequests(
      state: "held", reason: "no_consent", nextAttempt: "now() - interval '1 hour'")
    let overdue = try connection.insertRequests(
      deadline: "now() - interval '1 second'", state: "waiting", reason: "retry",
      nextAttempt: "now() - interval '1 second'")
    #expect(try Requests.promote(on: &connection) == 3)
    #expect(try Requests.promote(on: &connection) == 0)
    for id in due + overdue { #expect(try connection.state(id) == "queued") }
    #expect(try connection.state(due[0], "late") == "f")
    #expect(try connection.state(overdue[0], "late") == "t")
    #expect(try connection.state(later[0]) == "waiting")
    #expect(try connection.state(held[0]) == "held")
  }

  @Test("At the deadline: what may not be answered is withheld, the rest has one late attempt")
  func expire() throws {
    var connection = try database.connect()
    let cases: [(state: String, reason: String?, after: String, word: String?)] = [
      ("queued", nil, "queued", nil), ("waiting", "retry", "queued", nil),
      ("waiting", "consent_unavailable", "queued", nil),
      ("waiting", "customer_unavailable", "queued", nil),
      ("waiting", "usage_unavailable", "queued", nil), ("waiting", "gate", "queued", nil),
      ("held", "no_consent", "withheld", "no_consent"),
      ("held", "consent_ambiguous", "withheld", "no_consent"),
      ("held", "customer_unknown", "withheld", "customer_unknown"),
      ("held", "customer_ambiguous", "withheld", "customer_unknown"),
      ("held", "review", "queued", nil), ("held", "worker_died", "queued", nil),
    ]
    var ids: [Int64] = []
    for row in cases {
      ids += try connection.insertRequests(
        deadline: "now() - interval '1 second'", state: row.state, reason: row.reason)
    }
    let working = try connection.insertRequests(
      deadline: "now() - interval '1 second'", state: "working")
    let open = try connection.insertRequests(deadline: "now() + interval '1 minute'")
    let expired = try Requests.expire(on: &connection)
    #expect(Set(expired.map(\.id)) == Set(ids))
    for (id, row) in zip(ids, cases) {
      let found = expired.first { $0.id == id }
      #expect(found?.state == row.after, "\(row)")
      #expect(found?.reason == row.word, "\(row)")
      #expect(try connection.state(id) == row.after, "\(row)")
      #expect(try connection.state(id, "state_reason") == row.word, "\(row)")
      #expect(try connection.state(id, "late") == (row.after == "queued" ? "t" : "f"), "\(row)")
    }
    #expect(try connection.state(working[0]) == "working")
    #expect(try connection.state(open[0], "late") == "f")
    // Once: a late request has had its turn.
    #expect(try Requests.expire(on: &connection).isEmpty)
  }

  /// Seconds until the next look, after one more.
  private func nextLook(
    _ id: Int64, _ served: Requests.Served, on connection: inout Connection
  ) throws -> Double? {
    _ = try connection.query(
      """
      UPDATE consumptiond.request_state SET next_attempt_at = clock_timestamp() - interval '1 second'
      WHERE id = $1
      """, [.int(id)])
    let taken = try HeldRequests.take(
      [served], atMost: 10, decideBy: .seconds(1800), on: &connection)
    guard taken.map(\.id) == [id] else { return nil }
    return try connection.state(id, "extract(epoch FROM next_attempt_at - clock_timestamp())")
      .flatMap { Double($0) }
  }

  private func isAbout(_ seconds: Double?, _ expected: Double) -> Bool {
    seconds.map { abs($0 - expected) < 3 } ?? false
  }

  @Test("A held request is looked at after 1, 2, 4 … 30 minutes") func looks() throws {
    var connection = try database.connect()
    let claim = try connection.claimed()
    _ = try connection.run(
      Finishing.statement(claim, .held(reason: "no_consent", delay: .seconds(60))))
    let first = try connection.state(
      claim.id, "extract(epoch FROM next_attempt_at - clock_timestamp())"
    ).flatMap { Double($0) }
    #expect(isAbout(first, 60))
    for minutes in [2.0, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30] {
      let next = try nextLook(claim.id, QueueDatabase.app, on: &connection)
      #expect(isAbout(next, minutes * 60), "\(minutes) min: \(String(describing: next)) s")
    }
  }

  @Test("And before decisions are due, at the deadline, and in Sandbox every 20 seconds")
  func lastLooks() throws {
    var connection = try database.connect()
    for (app, deadline, looks, expected) in [
      (QueueDatabase.app, "40 minutes", 10, 600.0),  // half an hour before the deadline
      (QueueDatabase.app, "31 minutes", 1, 60), (QueueDatabase.app, "20 minutes", 10, 1200),
      (QueueDatabase.app, "-1 minute", 3, 1), (QueueDatabase.sandbox, "4 minutes", 10, 20),
      (QueueDatabase.sandbox, "10 seconds", 0, 10),
    ] {
      let id = try connection.insertRequests(
        app: app, deadline: "clock_timestamp() + interval '\(deadline)'", state: "held",
        reason: "no_consent", changes: "looks = \(looks)")[0]
      let next = try nextLook(id, app, on: &connection)
      #expect(isAbout(next, expected), "\(deadline), look \(looks): \(String(describing: next)) s")
      _ = try connection.query(
        "UPDATE consumptiond.request_state SET state = 'cancelled', next_attempt_at = NULL")
    }
  }

  @Test("Another daemon's held requests are not looked at, and no request by two at once")
  func heldOfOthers() throws {
    var connection = try database.connect()
    let past = "now() - interval '1 second'"
    let mine = try connection.insertRequests(
      30, state: "held", reason: "no_consent", nextAttempt: past)
    _ = try connection.insertRequests(
      app: QueueDatabase.other, state: "held", reason: "no_consent", nextAttempt: past)
    let database = database
    let takers = (0..<4).map { _ in
      Background {
        var connection = try database.connect()
        return try HeldRequests.take(
          [QueueDatabase.app], atMost: 20, decideBy: .seconds(1800), on: &connection)
      }
    }
    let taken = try takers.flatMap { try $0.value() }.map(\.id)
    #expect(taken.sorted() == mine)
  }

  @Test("What a look finds is written down, of held requests alone") func writing() throws {
    var connection = try database.connect()
    let ids = try connection.insertRequests(3, state: "held", reason: "no_consent")
    let queued = try connection.insertRequests()
    for id in ids + queued {
      _ = try connection.run(HeldRequests.keep(id, reason: "customer_ambiguous"))
      _ = try connection.run(HeldRequests.note(id, error: "timeout"))
    }
    #expect(try connection.state(ids[0], "state_reason") == "customer_ambiguous")
    #expect(try connection.state(ids[0], "last_error") == "timeout")
    #expect(try connection.state(queued[0], "last_error") == nil)
    _ = try connection.run(HeldRequests.release(ids[0]))
    #expect(try connection.state(ids[0]) == "queued")
    #expect(try connection.state(ids[0], "state_reason") == nil)
  }

  @Test("Customer and consent are noted until a decision rests on them") func notes() throws {
    var connection = try database.connect()
    let id = try connection.insertRequests(state: "held", reason: "no_consent")[0]
    func evidence() throws -> String? {
      try connection.value(
        "SELECT concat_ws(' ', customer, consent) FROM consumptiond.request_evidence WHERE id = $1",
        [.int(id)])
    }
    _ = try connection.run(Finishing.note(id, customer: "42", consent: nil))
    #expect(try evidence() == "42")
    // Nobody's lease: whoever had one has lost it.
    let stranger = "00000000-0000-0000-0000-000000000000"
    _ = try connection.run(Finishing.note(id, customer: "43", consent: nil, token: stranger))
    #expect(try evidence() == "42")
    _ = try connection.query(
      "UPDATE consumptiond.request_evidence SET decided_at = now(), consent = '{\"granted\": true}'"
    )
    _ = try connection.run(Finishing.note(id, customer: nil, consent: nil))
    #expect(try evidence() == #"42 {"granted": true}"#)
  }

  @Test("--drain goes on while something can be worked on, and no longer") func drain() throws {
    let past = "now() - interval '1 second'"
    for (what, app, state, reason, nextAttempt, expected) in [
      ("queued", QueueDatabase.app, "queued", nil, past, true),
      ("queued for another daemon", QueueDatabase.other, "queued", nil, past, false),
      ("queued in another environment", QueueDatabase.sandbox, "queued", nil, past, false),
      ("working", QueueDatabase.app, "working", nil, past, true),
      ("another daemon's work", QueueDatabase.other, "working", nil, past, true),
      ("waiting", QueueDatabase.app, "waiting", "retry", "now() + interval '1 hour'", false),
      ("due", QueueDatabase.app, "waiting", "retry", past, true),
      ("held", QueueDatabase.app, "held", "review", "now() + interval '1 hour'", false),
      ("held and due", QueueDatabase.app, "held", "review", past, true),
      ("held and due for another daemon", QueueDatabase.other, "held", "review", past, false),
      ("final", QueueDatabase.app, "withheld", "rule", past, false),
    ] as [(String, Requests.Served, String, String?, String, Bool)] {
      var connection = try database.connect()
      let id = try connection.insertRequests(
        app: app, state: state, reason: reason, nextAttempt: nextAttempt)[0]
      if state == "working" {
        _ = try connection.query(
          "INSERT INTO consumptiond.lease VALUES ('Production', 't', $1, gen_random_uuid(), now())",
          [.int(id)])
      }
      #expect(
        try Requests.isPending([QueueDatabase.app], on: &connection) == expected, "\(what)")
      _ = try connection.query("DELETE FROM consumptiond.lease")
      _ = try connection.query(
        "DELETE FROM consumptiond.request_evidence WHERE id = $1", [.int(id)])
      _ = try connection.query("DELETE FROM consumptiond.request_state WHERE id = $1", [.int(id)])
    }
    var connection = try database.connect()
    #expect(try !Requests.isPending([QueueDatabase.app], on: &connection))
    _ = try Inbox.enqueue("a.b.c", on: &connection)
    #expect(try Requests.isPending([QueueDatabase.app], on: &connection))
  }

  @Test("Old payloads go, except those of open requests; the rows stay") func payloads() throws {
    var connection = try database.connect()
    let old = try connection.insertRequests(state: "withheld", reason: "rule")[0]
    let open = try connection.insertRequests()[0]
    let young = try connection.insertRequests(state: "withheld", reason: "rule")[0]
    _ = try connection.query(
      """
      UPDATE consumptiond.inbox SET payload = 'x',
          received_at = clock_timestamp() - CASE WHEN id = $1 THEN interval '6 days'
              ELSE interval '8 days' END
      """, [.int(young)])
    #expect(
      try Requests.forgetPayloads(olderThan: .seconds(7 * 86_400), on: &connection) == 1)
    #expect(
      try connection.values(
        "SELECT id FROM consumptiond.inbox WHERE payload IS NOT NULL ORDER BY id")
        == [String(open), String(young)])
    #expect(
      try connection.value("SELECT done FROM consumptiond.inbox WHERE id = $1", [.int(old)]) == "t")
  }
}
