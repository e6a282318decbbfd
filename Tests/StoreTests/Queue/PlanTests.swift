import AppStore
import PostgreSQL
import Schema
import Store
import TestSupport
import Testing

/// Among 100,000 requests what is due must be found by an index: a volatile function is never its
/// condition, and nobody notices before the table has grown.
@Suite("Plans") struct PlanTests {
  private let database: QueueDatabase

  init() throws {
    database = try QueueDatabase()
    var connection = try database.connect()
    _ = try connection.insertRequests(40_000, state: "withheld", reason: "rule")
    _ = try connection.insertRequests(
      20_000, deadline: "now() + $1 * interval '1 second' + interval '1 minute'")
    _ = try connection.insertRequests(
      15_000, state: "waiting", reason: "retry",
      nextAttempt: "now() + $1 * interval '1 second' + interval '1 minute'")
    _ = try connection.insertRequests(
      15_000, state: "held", reason: "no_consent",
      nextAttempt: "now() + $1 * interval '1 second' + interval '1 minute'")
    _ = try connection.insertRequests(10_000, transaction: "'w' || $1", state: "working")
    _ = try connection.query(
      """
      INSERT INTO consumptiond.lease
      SELECT environment, transaction_id, id, gen_random_uuid(), now() + interval '30 seconds'
      FROM consumptiond.request_state WHERE state = 'working'
      """, timeout: .seconds(60))
    _ = try connection.query("ANALYZE", timeout: .seconds(120))
  }

  private func plan(
    _ sql: String, _ parameters: [Parameter], on connection: inout Connection
  ) throws -> String {
    _ = try connection.query("BEGIN")
    let lines = try connection.values("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + sql, parameters)
    _ = try connection.query("ROLLBACK")
    return lines.joined(separator: "\n")
  }

  /// The index conditions of a plan, and whether it read a whole table.
  private func check(
    _ plan: String, condition: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let conditions = plan.split(separator: "\n").filter { $0.contains("Index Cond:") }
    #expect(
      conditions.contains { $0.contains(condition) }, "\(plan)", sourceLocation: sourceLocation)
    for table in ["request_state", "lease"] {
      #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)", sourceLocation: sourceLocation)
    }
  }

  @Test("Claim, reap, promote, expire and held are found by their indexes") func indexes() throws {
    var connection = try database.connect()
    let app: [Parameter] = [
      .array([QueueDatabase.app.bundleId]), .array([QueueDatabase.app.environment.rawValue]),
    ]
    let claim = try plan(
      SQL.requestClaim, app + [.int(16), .typed("45 s", TypeID.interval), .bool(false)],
      on: &connection)
    check(claim, condition: "(bundle_id =")
    #expect(claim.contains("request_ready"))
    check(try plan(SQL.leaseReap, [], on: &connection), condition: "(until <=")
    check(try plan(SQL.requestPromote, [], on: &connection), condition: "(next_attempt_at <=")
    check(try plan(SQL.requestExpire, [], on: &connection), condition: "(deadline <=")
    check(
      try plan(
        SQL.heldTake, [.int(64), .typed("30 min", TypeID.interval)] + app, on: &connection),
      condition: "(next_attempt_at <=")
    try checkSpeed(&connection)
  }

  private func checkSpeed(_ connection: inout Connection) throws {
    let begun = ContinuousClock.now
    for _ in 0..<20 {
      _ = try Leases.reap(on: &connection)
      _ = try Requests.promote(on: &connection)
      _ = try Requests.expire(on: &connection)
      let claims = try Requests.claim(
        [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
      #expect(claims.count == 16)
    }
    // 20 rounds take some 100 ms; where each reads a whole table they take much longer.
    #expect(ContinuousClock.now - begun < .seconds(5))
  }
}
