import AppStore
import PostgreSQL
import Store
import TestSupport

/// A database of the test's own with the schema installed.
struct QueueDatabase {
  let server: PostgresServer
  let name: String

  init() throws {
    server = try TestServer.shared()
    name = try server.createDatabase()
    var connection = try server.connect(to: name)
    _ = try Migrator.migrate(&connection)
  }

  func connect(as user: String = "postgres") throws -> Connection {
    try server.connect(to: name, user: user)
  }

  static let app = Requests.Served(bundleId: "com.example.app", environment: .production)
  static let sandbox = Requests.Served(bundleId: "com.example.app", environment: .sandbox)
  static let other = Requests.Served(bundleId: "com.example.other", environment: .production)
}

extension Connection {
  /// The first column of the first row.
  mutating func value(_ sql: String, _ parameters: [Parameter] = []) throws -> String? {
    try query(sql, parameters).first?.optionalString(0)
  }

  /// The first column of all rows.
  mutating func values(_ sql: String, _ parameters: [Parameter] = []) throws -> [String] {
    try query(sql, parameters, timeout: .seconds(60)).map { try $0.string(0) }
  }

  mutating func run(_ statement: Statement) throws -> Rows {
    try query(statement.sql, statement.parameters)
  }

  /// Column of a request's hot row.
  mutating func state(_ id: Int64, _ column: String = "state") throws -> String? {
    try value("SELECT \(column) FROM consumptiond.request_state WHERE id = $1", [.int(id)])
  }

  /// Requests in a state of the test's choice; their ids in order. `$1` is the number of each.
  mutating func insertRequests(
    _ count: Int = 1, app: Requests.Served = QueueDatabase.app,
    transaction: String = "'t' || $1", deadline: String = "now() + interval '11 hours'",
    state: String = "queued", reason: String? = nil,
    nextAttempt: String = "now() + interval '1 hour'", changes: String = ""
  ) throws -> [Int64] {
    let numbered = { (expression: String) in expression.replacing("$1", with: "n.number") }
    let rows = try query(
      """
      WITH i AS (
          INSERT INTO consumptiond.inbox (sha256, done)
          SELECT sha256(convert_to(gen_random_uuid()::text, 'UTF8')), true
          FROM generate_series(1, $1::bigint) RETURNING id),
      n AS (SELECT id, row_number() OVER (ORDER BY id) AS number FROM i)
      INSERT INTO consumptiond.request_state (id, bundle_id, environment, transaction_id, signed_at,
          deadline, state, state_reason, next_attempt_at)
      SELECT n.id, $2, $3, \(numbered(transaction)), \(numbered(deadline)) - interval '12 hours',
          \(numbered(deadline)), $4, $5,
          CASE WHEN $4 IN ('waiting', 'held') THEN \(numbered(nextAttempt)) END
      FROM n RETURNING id
      """,
      [
        .int(count), .text(app.bundleId), .text(app.environment.rawValue), .text(state),
        .text(reason),
      ], timeout: .seconds(120))
    let ids = try rows.map { try $0.int64("id") }.sorted()
    _ = try query(
      """
      INSERT INTO consumptiond.request_evidence (id, notification_uuid, original_transaction_id,
          product_id, product_type, received_at, transaction)
      SELECT id, gen_random_uuid()::text, '700000', 'pro.monthly', 'Auto-Renewable Subscription',
          now(), $2::json FROM unnest($1::bigint[]) id
      """, [.array(ids), .text(Purchases.json())], timeout: .seconds(120))
    if !changes.isEmpty {
      _ = try query(
        "UPDATE consumptiond.request_state SET \(changes) WHERE id = ANY ($1::bigint[])",
        [.array(ids)])
    }
    return ids
  }

  /// A request that is claimed by a worker.
  mutating func claimed(
    _ lease: Duration = .seconds(45), transaction: String = "'t' || $1",
    deadline: String = "now() + interval '11 hours'"
  ) throws -> Requests.Claim {
    let id = try insertRequests(transaction: transaction, deadline: deadline)[0]
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: lease, on: &self)
    guard let claim = claims.first(where: { $0.id == id }) else {
      throw TestSupportError("the request was not claimed")
    }
    return claim
  }

  mutating func work(_ claim: Requests.Claim) throws -> Work {
    guard let loaded = try Requests.load([claim], on: &self).first else {
      throw TestSupportError("the request was not loaded")
    }
    return try loaded.get()
  }

  /// Lets the leases of requests run out, without waiting for it.
  mutating func endLeases() throws {
    _ = try query("UPDATE consumptiond.lease SET until = clock_timestamp() - interval '1 second'")
  }

  mutating func endLeases(_ claims: [Requests.Claim]) throws {
    _ = try query(
      """
      WITH l AS MATERIALIZED (
          SELECT token, request_id FROM consumptiond.lease WHERE token = ANY ($1::uuid[])
          ORDER BY request_id FOR UPDATE)
      UPDATE consumptiond.lease SET until = clock_timestamp() - interval '1 second'
      FROM l WHERE lease.token = l.token
      """, [.array(claims.map(\.token), of: TypeID.uuidArray)])
  }

  mutating func begin(_ work: Work) throws -> Attempts.Begun? {
    try Attempts.begun(
      try run(Attempts.beginning(work, endpoint: "http://x", needed: .seconds(15))))
  }
}
