public import AppStore
public import PostgreSQL
internal import Schema

/// What `consumptiond status` says: what is open, how long it has, what is wrong.
public struct StatusReport: Sendable, Equatable {
  public struct States: Sendable, Equatable {
    public let state: String
    public let reason: String
    public let requests: Int64
  }

  public struct OpenRequest: Sendable, Equatable {
    public let id: Int64
    public let bundleId: String
    public let environment: String
    public let transactionId: String
    public let state: String
    public let reason: String
    public let late: Bool
    public let deadline: Instant
    /// Until the deadline; negative when it has passed.
    public let secondsLeft: Int64
    public let attempts: Int
    public let nextAttemptAt: Instant?
    public let secondsToNextAttempt: Int64?
    public let lastError: String
  }

  /// A request that is missed or failed.
  public struct LostRequest: Sendable, Equatable {
    public let id: Int64
    public let bundleId: String
    public let environment: String
    public let transactionId: String
    public let state: String
    public let reason: String
    public let deadline: Instant
    public let lastError: String
  }

  /// The payloads that were rejected for one reason, and the newest of them.
  public struct Rejected: Sendable, Equatable {
    public let reason: String
    public let payloads: Int64
    public let newestId: Int64
    public let newestDetail: String
    public let newestAt: Instant
  }

  public let states: [States]
  /// Those that are due first.
  public let open: [OpenRequest]
  /// Of the last week, newest first, and not more than were asked for.
  public let lost: [LostRequest]
  /// Of the last day.
  public let rejected: [Rejected]
  /// Payloads that nobody has verified yet, and how long the oldest waits.
  public let unread: Int64
  public let oldestUnreadSeconds: Int64?
  public let rejectedLastDay: Int64
  public let missedLastWeek: Int64
  /// Connections that go by a daemon's name. 0 may also mean that `database` sets another
  /// `application_name`.
  public let daemonConnections: Int64
  public let schemaVersion: Int
  /// While one lasts nothing is claimed and nothing sent.
  public let pauses: [Pauses.Pause]
  /// Of requests whose deadline lies within the last day.
  public let missedLastDay: Int64
  public let failedLastDay: Int64

  public static func read(
    openAtMost limit: Int, lostAtMost: Int = 5, on connection: inout Connection
  ) throws(PostgresError) -> StatusReport {
    let inbox = try connection.query(SQL.statusInbox)
    guard let counts = inbox.first else { throw PostgresError.missingRow("status_inbox") }
    return StatusReport(
      states: try all(connection.query(SQL.statusStates), States.init),
      open: try all(connection.query(SQL.statusOpen, [.int(limit)]), OpenRequest.init),
      lost: try all(connection.query(SQL.statusLost, [.int(lostAtMost)]), LostRequest.init),
      rejected: try all(connection.query(SQL.statusRejected), Rejected.init),
      unread: try counts.int64("unread"),
      oldestUnreadSeconds: try counts.optionalInt64("oldest_unread_seconds"),
      rejectedLastDay: try counts.int64("rejected_last_day"),
      missedLastWeek: try counts.int64("missed_last_week"),
      daemonConnections: try counts.int64("daemon_connections"),
      schemaVersion: try counts.int("schema_version"),
      pauses: try Pauses.all(on: &connection),
      missedLastDay: try counts.int64("missed_last_day"),
      failedLastDay: try counts.int64("failed_last_day"))
  }

  private static func all<Value>(
    _ rows: Rows, _ read: (Row) throws(PostgresError) -> Value
  ) throws(PostgresError) -> [Value] {
    var values: [Value] = []
    for row in rows { values.append(try read(row)) }
    return values
  }
}

extension StatusReport.States {
  fileprivate init(_ row: Row) throws(PostgresError) {
    self.init(
      state: try row.string("state"), reason: try row.string("reason"),
      requests: try row.int64("requests"))
  }
}

extension StatusReport.OpenRequest {
  fileprivate init(_ row: Row) throws(PostgresError) {
    self.init(
      id: try row.int64("id"), bundleId: try row.string("bundle_id"),
      environment: try row.string("environment"),
      transactionId: try row.string("transaction_id"), state: try row.string("state"),
      reason: try row.string("reason"), late: try row.bool("late"),
      deadline: try row.instant("deadline"), secondsLeft: try row.int64("seconds_left"),
      attempts: try row.int("attempts"),
      nextAttemptAt: try row.optionalInstant("next_attempt_at"),
      secondsToNextAttempt: try row.optionalInt64("seconds_to_next_attempt"),
      lastError: try row.string("last_error"))
  }
}

extension StatusReport.LostRequest {
  fileprivate init(_ row: Row) throws(PostgresError) {
    self.init(
      id: try row.int64("id"), bundleId: try row.string("bundle_id"),
      environment: try row.string("environment"),
      transactionId: try row.string("transaction_id"), state: try row.string("state"),
      reason: try row.string("reason"), deadline: try row.instant("deadline"),
      lastError: try row.string("last_error"))
  }
}

extension StatusReport.Rejected {
  fileprivate init(_ row: Row) throws(PostgresError) {
    self.init(
      reason: try row.string("reason"), payloads: try row.int64("payloads"),
      newestId: try row.int64("id"), newestDetail: try row.string("detail"),
      newestAt: try row.instant("received_at"))
  }
}
