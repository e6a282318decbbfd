public import PostgreSQL

/// Where a request stands: what decides whether a person may still change its course.
public struct RequestStanding: Sendable, Equatable {
  public let id: Int64
  public let state: String
  public let reason: String?
  public let attempts: Int

  /// Nothing leaves it.
  public var isFinal: Bool { !["queued", "waiting", "working", "held"].contains(state) }

  /// - Returns: nil when there is no such request.
  public static func read(
    _ id: Int64, on connection: inout Connection
  ) throws(PostgresError) -> RequestStanding? {
    let rows = try connection.query(
      "SELECT state, state_reason, attempts FROM consumptiond.request_state WHERE id = $1::bigint",
      [.int(id)])
    guard let row = rows.first else { return nil }
    return RequestStanding(
      id: id, state: try row.string("state"), reason: try row.optionalString("state_reason"),
      attempts: try row.int("attempts"))
  }
}
