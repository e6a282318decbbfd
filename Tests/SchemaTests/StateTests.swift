import PostgreSQL
import TestSupport
import Testing

@Suite("States of a request") struct StateTests {
  private let schema: InstalledSchema

  init() throws { schema = try InstalledSchema() }

  private static let openStates = ["queued", "waiting", "working", "held"]
  private static let finalStates = [
    "answered", "observed", "withheld", "settled", "failed", "missed", "cancelled",
  ]

  /// What another state must bring along to pass the table's checks.
  private func move(_ id: Int64, to state: String, on connection: inout Connection) throws
    -> String?
  {
    try connection.refusal(
      """
      UPDATE consumptiond.request_state SET state = $2, state_reason = 'rule', attempts = 1,
          next_attempt_at = CASE WHEN $2 IN ('waiting', 'held') THEN deadline END,
          answered_at = CASE WHEN $2 = 'answered' THEN deadline END
      WHERE id = $1
      """, [.int(id), .text(state)])
  }

  @Test("A final state is never left") func leavingFinal() throws {
    var connection = try schema.connect()
    for state in Self.finalStates {
      let id = try connection.insertRequest(state: state, reason: "rule")
      for other in Self.openStates + Self.finalStates where other != state {
        #expect(try move(id, to: other, on: &connection) == "55000", "\(state) to \(other)")
      }
      #expect(try move(id, to: state, on: &connection) == nil)
      #expect(
        try connection.value(
          "SELECT state FROM consumptiond.request_state WHERE id = $1", [.int(id)]) == state)
    }
  }

  @Test("An open state may become every other") func leavingOpen() throws {
    var connection = try schema.connect()
    for state in Self.openStates {
      for other in Self.openStates + Self.finalStates {
        let id = try connection.insertRequest(state: state, reason: "retry")
        #expect(try move(id, to: other, on: &connection) == nil, "\(state) to \(other)")
      }
    }
  }

  private static let impossible = [
    "state = 'waiting', state_reason = 'retry'",
    "state = 'held', state_reason = 'review'",
    "state = 'waiting', next_attempt_at = deadline",
    "state = 'held', next_attempt_at = deadline",
    "next_attempt_at = deadline",
    "state = 'working', next_attempt_at = deadline",
    "state = 'answered', attempts = 1",
    "state = 'answered', answered_at = deadline",
    "answered_at = deadline",
    "state = 'missed', state_reason = NULL",
    "state = 'failed', state_reason = NULL",
    "state = 'withheld', state_reason = NULL",
    "state = 'sent'", "state = ''", "environment = 'production'", "environment = 'Xcode'",
    "attempts = -1", "looks = -1",
  ]

  @Test("Combinations that cannot be are refused") func impossible() throws {
    var connection = try schema.connect()
    for changes in Self.impossible {
      let id = try connection.insertRequest()
      #expect(
        try connection.refusal(
          "UPDATE consumptiond.request_state SET \(changes) WHERE id = $1", [.int(id)]) == "23514",
        "\(changes)")
    }
  }

  @Test("Evidence, attempts and leases refuse what cannot be") func others() throws {
    var connection = try schema.connect()
    let id = try connection.insertRequest()
    for (statement, sqlState) in [
      ("UPDATE consumptiond.request_evidence SET body = '{}'", "23514"),
      ("UPDATE consumptiond.request_evidence SET period_position = 'next'", "23514"),
      ("UPDATE consumptiond.request_evidence SET refund_preference = 'NONE'", "23514"),
      (
        "INSERT INTO consumptiond.attempt (request_id, number, endpoint) VALUES (\(id), 0, 'x')",
        "23514"
      ),
      (
        "INSERT INTO consumptiond.attempt (request_id, number, endpoint, result) VALUES (\(id), 1, 'x', 'retry')",
        "23514"
      ),
      (
        "INSERT INTO consumptiond.attempt (request_id, number, endpoint, result, ended_at) VALUES (\(id), 1, 'x', 'ok', now())",
        "23514"
      ),
      (
        "INSERT INTO consumptiond.attempt (request_id, number, endpoint) VALUES (\(id), 1, 'x'), (\(id), 1, 'x')",
        "23505"
      ),
      (
        "INSERT INTO consumptiond.lease SELECT 'Production', 't', \(id), gen_random_uuid(), now() FROM generate_series(1, 2)",
        "23505"
      ),
      ("UPDATE consumptiond.inbox SET done = false", "23514"),
      (
        "INSERT INTO consumptiond.rejected VALUES (1, now(), 'whatever', '', '', 1)", "23514"
      ),
    ] {
      #expect(try connection.refusal(statement) == sqlState, "\(statement)")
    }
  }
}
