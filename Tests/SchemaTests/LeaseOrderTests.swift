import Dispatch
import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("Statements that lock several leases") struct LeaseOrderTests {
  enum Keeper: CaseIterable, Sendable {
    case renewal
    case handingBack
  }

  @Test(
    "They wait for the results of two requests, and these not for them", arguments: Keeper.allCases)
  func order(keeper: Keeper) async throws {
    let schema = try InstalledSchema()
    var connection = try schema.connect()
    let first = try connection.insertRequest(transaction: "1", state: "working")
    let second = try connection.insertRequest(transaction: "2", state: "working")
    // The second request's lease lies first in the table.
    for id in [second, first] {
      _ = try connection.query(
        """
        INSERT INTO consumptiond.lease
        SELECT environment, transaction_id, id, gen_random_uuid(), now() + interval '1 minute'
        FROM consumptiond.request_state WHERE id = $1
        """, [.int(id)])
    }
    let tokens = try connection.values("SELECT token::text FROM consumptiond.lease")
    var writer = try schema.connect()
    let delete = "DELETE FROM consumptiond.lease WHERE request_id = $1"
    _ = try writer.query("BEGIN")
    _ = try writer.query(delete, [.int(first)])
    async let left = Self.run(keeper, tokens, schema)
    let end = ContinuousClock.now + .seconds(10)
    while try connection.value(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        + "AND wait_event_type = 'Lock'") != "1", ContinuousClock.now < end
    {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try writer.refusal(delete, [.int(second)]) == nil)
    _ = try writer.query("COMMIT")
    #expect(try await left == 0)
  }

  /// On a queue of its own: it waits for locks.
  private static func run(
    _ keeper: Keeper, _ tokens: [String], _ schema: InstalledSchema
  ) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "keeper").async {
        continuation.resume(
          with: Result {
            var connection = try schema.connect()
            return switch keeper {
            case .renewal:
              try Leases.renew(tokens, for: .seconds(45), on: &connection).count
            case .handingBack: try Leases.release(tokens, on: &connection)
            }
          })
      }
    }
  }
}
