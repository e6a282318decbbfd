public import AppStore
public import PostgreSQL
internal import Schema

/// Every request on the wire has a row that was committed before it went out.
public enum Attempts {
  /// An attempt that may go out now.
  public struct Begun: Sendable {
    public let id: Int64
    public let number: Int
    /// True when an earlier attempt of the request may have reached Apple.
    public let isRepeat: Bool
    /// True when it begins after the deadline: the one attempt that a late request gets.
    public let isLate: Bool
  }

  /// - Parameter needed: how much of the lease must be left: the whole timeout of the request.
  ///   The statement returns no row when the lease is gone or too short; then nothing is sent.
  public static func beginning(_ work: Work, endpoint: String, needed: Duration) -> Statement {
    Statement(
      SQL.attemptBegin,
      [
        .int(work.id), .typed(work.token, TypeID.uuid), .text(endpoint), .interval(needed),
      ])
  }

  public static func begun(_ rows: Rows) throws(PostgresError) -> Begun? {
    guard let row = rows.first else { return nil }
    return Begun(
      id: try row.int64("id"), number: try row.int("number"), isRepeat: try row.bool("repeat"),
      isLate: try row.bool("late"))
  }

  /// What came of an attempt, and where it takes the request.
  public struct Record: Sendable {
    public let attempt: Int64
    public let request: Int64
    public let transaction: String
    public let environment: AppStore.Environment
    public let token: String
    /// One of the words of `consumptiond.attempt.result`; nil when it never went out, and is none.
    public let result: String?
    public let httpStatus: Int?
    public let appleCode: Int64?
    public let appleMessage: String?
    /// What the network or this program said where Apple said nothing.
    public let error: String?
    public let ending: Ending
    /// For `consumptiond.request.last_error`.
    public let lastError: String?
    /// True when the next attempt carries the required fields alone.
    public let degrade: Bool

    public init(
      attempt: Int64, request: Int64, transaction: String,
      environment: AppStore.Environment, token: String, result: String?,
      httpStatus: Int?, appleCode: Int64?,
      appleMessage: String?, error: String?, ending: Ending, lastError: String?, degrade: Bool
    ) {
      self.attempt = attempt
      self.request = request
      self.transaction = transaction
      self.environment = environment
      self.token = token
      self.result = result
      self.httpStatus = httpStatus
      self.appleCode = appleCode
      self.appleMessage = appleMessage
      self.error = error
      self.ending = ending
      self.lastError = lastError
      self.degrade = degrade
    }
  }

  /// For a transaction that records several: locks their requests and leases first, so that it waits
  /// for nobody once it has ended a lease.
  public static func locking(_ records: [Record]) -> Statement {
    Statement(
      SQL.requestLock, [.array(records.map(\.request)), .uuids(records.map(\.token))])
  }

  public static func recording(_ record: Record) -> Statement {
    guard let result = record.result else {
      return Finishing.statement(
        Requests.Claim(id: record.request, token: record.token), record.ending,
        error: record.lastError, unsent: record.attempt)
    }
    return Statement(
      SQL.attemptRecord,
      [
        .int(record.attempt), .text(result), .int(record.httpStatus),
        .int(record.appleCode), .text(record.appleMessage), .text(record.error),
        .typed(record.token, TypeID.uuid), .text(record.ending.state),
        .text(record.ending.reason), .interval(record.ending.delay), .text(record.lastError),
        .bool(record.degrade),
      ])
  }
}
