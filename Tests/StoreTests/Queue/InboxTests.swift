import AppStore
import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("From the inbox to a request") struct InboxTests {
  private let database: QueueDatabase

  init() throws { database = try QueueDatabase() }

  private static let hour = Duration.seconds(3600)

  /// Enqueues and accepts; the state of the request that came of it.
  @discardableResult
  private func accept(
    _ notification: VerifiedNotification, payload: String, on connection: inout Connection
  ) throws -> (id: Int64, state: String?) {
    let id = try Inbox.enqueue(payload, on: &connection)
    let rows = try connection.run(Inbox.acceptance(id, notification))
    return (id, try rows.first?.optionalString("state"))
  }

  @Test("A request is opened with its deadline, its evidence and its inbox row's id") func opens()
    throws
  {
    var connection = try database.connect()
    let now = Instant.now()
    let notification = try Notifications.make(
      uuid: "AB12CD34-0000-4000-8000-000000000001", signedAt: now)
    let (id, state) = try accept(notification, payload: "a", on: &connection)
    #expect(state == "queued")
    let row = try connection.query(
      """
      SELECT notification_uuid, transaction_id, original_transaction_id, product_id, reason, late,
          state, deadline - signed_at = interval '12 hours' AS on_time, http_status
      FROM consumptiond.request WHERE id = $1
      """, [.int(id)])[0]
    #expect(try row.string("notification_uuid") == "ab12cd34-0000-4000-8000-000000000001")
    #expect(try row.string("transaction_id") == "700001")
    #expect(try row.string("original_transaction_id") == "700000")
    #expect(try row.string("reason") == "OTHER")
    #expect(try row.bool("on_time"))
    #expect(try !row.bool("late"))
    #expect(try connection.value("SELECT done FROM consumptiond.inbox") == "t")
  }

  @Test("Apple's second delivery in another payload opens nothing", arguments: [false, true])
  func duplicate(otherCase: Bool) throws {
    var connection = try database.connect()
    let uuid = "AB12CD34-0000-4000-8000-000000000001"
    let first = try accept(
      try Notifications.make(uuid: uuid), payload: "a", on: &connection)
    let second = try accept(
      try Notifications.make(uuid: otherCase ? uuid.lowercased() : uuid), payload: "b",
      on: &connection)
    #expect(first.state == "queued")
    #expect(second.state == nil)
    #expect(second.id != first.id)
    #expect(try connection.value("SELECT count(*) FROM consumptiond.request") == "1")
    #expect(try connection.value("SELECT count(*) FROM consumptiond.inbox WHERE NOT done") == "0")
  }

  @Test("D-25: accepting, rejecting and deciding twice is once") func twice() throws {
    var connection = try database.connect()
    let notification = try Notifications.make()
    let id = try Inbox.enqueue("a", on: &connection)
    let acceptance = Inbox.acceptance(id, notification)
    #expect(try connection.run(acceptance).first?.optionalString("state") == "queued")
    #expect(try connection.run(acceptance).isEmpty)
    let bad = try Inbox.enqueue("b", on: &connection)
    let rejection = Inbox.rejection(
      bad, SignedPayloadError(reason: .signature, detail: "notification"))
    _ = try connection.run(rejection)
    _ = try connection.run(rejection)
    #expect(try connection.value("SELECT count(*) FROM consumptiond.request") == "1")
    #expect(try connection.value("SELECT count(*) FROM consumptiond.rejected") == "1")
  }

  @Test("Of two readers with two verdicts the first one's holds") func twoVerdicts() throws {
    var connection = try database.connect()
    let error = SignedPayloadError(reason: .date, detail: "notification")
    let accepted = try Inbox.enqueue("a", on: &connection)
    _ = try connection.run(Inbox.acceptance(accepted, try Notifications.make()))
    _ = try connection.run(Inbox.rejection(accepted, error))
    #expect(try connection.value("SELECT count(*) FROM consumptiond.rejected") == "0")
    let rejected = try Inbox.enqueue("b", on: &connection)
    _ = try connection.run(Inbox.rejection(rejected, error))
    _ = try connection.run(Inbox.acceptance(rejected, try Notifications.make()))
    #expect(
      try connection.values("SELECT id FROM consumptiond.request") == [String(accepted)])
    #expect(try connection.values("SELECT id FROM consumptiond.ledger") == [String(accepted)])
  }

  @Test("A rejection keeps hash, size and reason, and no payload") func rejected() throws {
    var connection = try database.connect()
    let id = try Inbox.enqueue("größer", on: &connection)
    _ = try connection.run(
      Inbox.rejection(id, SignedPayloadError(reason: .bundleId, detail: "found x, expected y")))
    let row = try connection.query("SELECT * FROM consumptiond.rejected")[0]
    #expect(try row.int64("id") == id)
    #expect(try row.string("reason") == "bundle_id")
    #expect(try row.int("bytes") == 8)
    #expect(
      try connection.value(
        "SELECT payload FROM consumptiond.inbox WHERE sha256 = $1::bytea",
        [.inferred(try row.string("sha256"))]) == nil)
    #expect(try connection.value("SELECT payload IS NULL AND done FROM consumptiond.inbox") == "t")
  }

  @Test("The date says whether a request is in time, late or too late") func arrival() throws {
    var connection = try database.connect()
    for (environment, age, state, reason, late) in [
      (.production, .seconds(12 * 3600 - 60), "queued", nil, "f"),
      (.production, .seconds(12 * 3600 + 1), "queued", nil, "t"),
      (.production, .seconds(24 * 3600 - 60), "queued", nil, "t"),
      (.production, .seconds(24 * 3600 + 1), "missed", "expired_on_arrival", "f"),
      (.production, .seconds(3 * 86_400), "missed", "expired_on_arrival", "f"),
      (.sandbox, .seconds(240), "queued", nil, "f"), (.sandbox, .seconds(301), "queued", nil, "t"),
      (.sandbox, .seconds(601), "missed", "expired_on_arrival", "f"),
    ] as [(Environment, Duration, String, String?, String)] {
      let notification = try Notifications.make(
        signedAt: Instant.now() - age, environment: environment)
      let (id, first) = try accept(
        notification, payload: "\(environment) \(age)", on: &connection)
      #expect(first == state, "\(environment) \(age)")
      #expect(try connection.state(id, "state_reason") == reason, "\(environment) \(age)")
      #expect(try connection.state(id, "late") == late, "\(environment) \(age)")
    }
  }

  @Test(
    "B-11: Apple's decision settles the older open requests of its transaction",
    arguments: ["REFUND", "REFUND_DECLINED"])
  func settles(type: String) throws {
    var connection = try database.connect()
    let now = Instant.now()
    func open(_ age: Duration, _ transaction: String = "700001") throws -> Int64 {
      try accept(
        try Notifications.make(signedAt: now - age, transactionId: transaction),
        payload: "\(age) \(transaction)", on: &connection
      ).id
    }
    let older = try [open(.seconds(7200)), open(.seconds(7000)), open(.seconds(6900))]
    _ = try connection.query(
      """
      UPDATE consumptiond.request_state SET next_attempt_at = deadline, state_reason = 'retry',
          state = CASE WHEN id = $1 THEN 'waiting' ELSE 'held' END WHERE id IN ($1, $2)
      """, [.int(older[1]), .int(older[2])])
    let newer = try open(.seconds(60))
    let other = try open(.seconds(7200), "700002")
    let done = try open(.seconds(7100))
    _ = try connection.query(
      """
      UPDATE consumptiond.request_state SET state = 'withheld', state_reason = 'rule' WHERE id = $1
      """, [.int(done)])
    let decision = try accept(
      try Notifications.make(type, signedAt: now - Self.hour, reason: nil), payload: "decision",
      on: &connection)
    #expect(decision.state == nil)
    for id in older { #expect(try connection.state(id) == "settled") }
    #expect(try connection.state(newer) == "queued")
    #expect(try connection.state(other) == "queued")
    #expect(try connection.state(done) == "withheld")
  }

  @Test("A decision that comes before its request settles that on arrival") func decidedBefore()
    throws
  {
    var connection = try database.connect()
    let now = Instant.now()
    try accept(
      try Notifications.make("REFUND", signedAt: now - Self.hour, reason: nil), payload: "decision",
      on: &connection)
    let older = try accept(
      try Notifications.make(signedAt: now - Self.hour * 2), payload: "older", on: &connection)
    #expect(older.state == "settled")
    let newer = try accept(
      try Notifications.make(signedAt: now), payload: "newer", on: &connection)
    #expect(newer.state == "queued")
  }

  @Test("Other notifications reach the ledger and open nothing") func ledger() throws {
    var connection = try database.connect()
    for type in ["DID_RENEW", "NEW_THING", "REFUND_REVERSED", "TEST"] {
      let transaction = type == "TEST" ? nil : "700001"
      let accepted = try accept(
        try Notifications.make(type, transactionId: transaction, reason: nil), payload: type,
        on: &connection)
      #expect(accepted.state == nil)
    }
    #expect(try connection.value("SELECT count(*) FROM consumptiond.ledger") == "4")
    #expect(try connection.value("SELECT count(*) FROM consumptiond.request_state") == "0")
  }

  @Test("A claimed row is hidden for a while, then comes back, its deaths counted") func claim()
    throws
  {
    var connection = try database.connect()
    let ids = try (0..<3).map { try Inbox.enqueue("p\($0)", on: &connection) }
    let first = try Inbox.claim(atMost: 2, for: .seconds(60), on: &connection)
    // The oldest and the newest: a flood of forged payloads does not bury a true one.
    #expect(first.map(\.id) == [ids[0], ids[2]])
    #expect(first.map(\.deaths) == [1, 1])
    #expect(first.map(\.payload) == ["p0", "p2"])
    #expect(
      try Inbox.claim(atMost: 9, for: .seconds(60), on: &connection).map(\.id) == [ids[1]])
    #expect(try Inbox.claim(atMost: 9, for: .seconds(60), on: &connection).isEmpty)
    _ = try connection.query("UPDATE consumptiond.inbox SET claimed_until = now()")
    let again = try Inbox.claim(atMost: 9, for: .seconds(60), on: &connection)
    #expect(again.map(\.deaths) == [2, 2, 2])
    #expect(abs((again[0].now - Instant.now()).components.seconds) < 5)
    // However often its readers die, the count does not overflow and stop everybody.
    _ = try connection.query("UPDATE consumptiond.inbox SET claimed_until = now(), deaths = 32767")
    #expect(try Inbox.claim(atMost: 9, for: .seconds(60), on: &connection).count == 3)
  }

  @Test("Four readers at once read no row twice") func readers() throws {
    var connection = try database.connect()
    let ids = try (0..<200).map { try Inbox.enqueue("p\($0)", on: &connection) }
    let database = database
    let readers = (0..<4).map { _ in
      Background {
        var connection = try database.connect()
        var read: [Int64] = []
        while case let rows = try Inbox.claim(atMost: 7, for: .seconds(60), on: &connection),
          !rows.isEmpty
        {
          read += rows.map(\.id)
        }
        return read
      }
    }
    #expect(try readers.flatMap { try $0.value() }.sorted() == ids)
  }
}
