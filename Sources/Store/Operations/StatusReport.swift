public import PostgreSQL
internal import Schema

/// What `consumptiond status` says: what is open, how long it has, what is wrong.
public struct StatusReport: Sendable {
  public struct States: Sendable {
    public let state: String
    public let reason: String
    public let requests: Int64
  }

  public struct OpenRequest: Sendable {
    public let id: Int64
    public let bundleId: String
    public let environment: String
    public let transactionId: String
    public let state: String
    public let reason: String
    public let late: Bool
    /// Until the deadline; negative when it has passed.
    public let secondsLeft: Int64
    public let attempts: Int
    public let lastError: String
  }

  public let states: [States]
  /// Those that are due first.
  public let open: [OpenRequest]
  /// Payloads that nobody has verified yet, and how long the oldest waits.
  public let unread: Int64
  public let oldestUnreadSeconds: Int64?
  public let rejectedLastDay: Int64
  public let missedLastWeek: Int64
  public let schemaVersion: Int

  public static func read(
    openAtMost limit: Int, on connection: inout Connection
  ) throws(PostgresError) -> StatusReport {
    let inbox = try connection.query(SQL.statusInbox)
    guard let counts = inbox.first else { throw PostgresError.missingRow("status_inbox") }
    var states: [States] = []
    for row in try connection.query(SQL.statusStates) {
      states.append(
        States(
          state: try row.string("state"), reason: try row.string("reason"),
          requests: try row.int64("requests")))
    }
    var open: [OpenRequest] = []
    for row in try connection.query(SQL.statusOpen, [.int(limit)]) {
      open.append(
        OpenRequest(
          id: try row.int64("id"), bundleId: try row.string("bundle_id"),
          environment: try row.string("environment"),
          transactionId: try row.string("transaction_id"), state: try row.string("state"),
          reason: try row.string("reason"), late: try row.bool("late"),
          secondsLeft: try row.int64("seconds_left"), attempts: try row.int("attempts"),
          lastError: try row.string("last_error")))
    }
    return StatusReport(
      states: states, open: open, unread: try counts.int64("unread"),
      oldestUnreadSeconds: try counts.optionalInt64("oldest_unread_seconds"),
      rejectedLastDay: try counts.int64("rejected_last_day"),
      missedLastWeek: try counts.int64("missed_last_week"),
      schemaVersion: try counts.int("schema_version"))
  }
}
