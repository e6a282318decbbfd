public import AppStore
internal import Decision
public import PostgreSQL
internal import Schema

/// The queue's statements, each as short as a statement can be: no transaction is open while a
/// worker thinks or waits for Apple.
public enum Requests {
  /// An app in an environment: what a daemon answers for.
  public struct Served: Sendable, Hashable {
    public let bundleId: String
    public let environment: Environment

    public init(bundleId: String, environment: Environment) {
      self.bundleId = bundleId
      self.environment = environment
    }
  }

  /// A claimed request: its id and the token of its lease.
  public struct Claim: Sendable, Hashable {
    public let id: Int64
    public let token: String

    public init(id: Int64, token: String) {
      self.id = id
      self.token = token
    }
  }

  /// Claims queued requests, those that are due first, and leases them for `lease`.
  ///
  /// - Parameter alone: those that used up the time of a batch, or the others.
  public static func claim(
    _ served: [Served], alone: Bool = false, atMost limit: Int, lease: Duration,
    on connection: inout Connection
  ) throws(PostgresError) -> [Claim] {
    let rows = try connection.query(
      SQL.requestClaim,
      [
        .array(served.map(\.bundleId)), .array(served.map(\.environment.rawValue)), .int(limit),
        .interval(lease), .bool(alone),
      ])
    var claims: [Claim] = []
    for row in rows {
      claims.append(Claim(id: try row.int64("id"), token: try row.string("token")))
    }
    return claims
  }

  /// Loads what was claimed, in the order of deadlines. A row that cannot be read comes back with
  /// its error instead of taking its neighbours with it.
  public static func load(
    _ claims: [Claim], on connection: inout Connection
  ) throws(PostgresError) -> [Result<Work, UnreadableRequest>] {
    let tokens = Dictionary(claims.map { ($0.id, $0.token) }) { first, _ in first }
    let rows = try connection.query(SQL.requestLoad, [.array(claims.map(\.id))])
    var loaded: [Result<Work, UnreadableRequest>] = []
    for row in rows {
      let id = try row.int64("id")
      do {
        loaded.append(.success(try work(row, id: id, token: tokens[id] ?? "")))
      } catch let error as PostgresError {
        throw error
      } catch {
        loaded.append(
          .failure(
            UnreadableRequest(
              claim: Claim(id: id, token: tokens[id] ?? ""), reason: "\(error)")))
      }
    }
    return loaded
  }

  private static func work(_ row: Row, id: Int64, token: String) throws -> Work {
    guard let environment = Environment(rawValue: try row.string("environment")) else {
      throw PostgresError.missingRow("environment")
    }
    let renewal = try row.optionalString("renewal")
    return Work(
      id: id, token: token, bundleId: try row.string("bundle_id"), environment: environment,
      transactionId: try row.string("transaction_id"),
      originalTransactionId: try row.string("original_transaction_id"),
      reason: try row.optionalString("reason"), signedAt: try row.instant("signed_at"),
      deadline: try row.instant("deadline"), late: try row.bool("late"),
      attempts: try row.int("attempts"), looks: try row.int("looks"),
      degraded: try row.bool("degraded"), alone: try row.bool("alone"),
      transaction: try Transaction(json: try row.string("transaction")),
      renewal: try renewal.map { try RenewalInfo(json: $0) },
      laterPurchase: try row.optionalInstant("later_purchase"),
      revocationDate: try row.optionalInstant("revocation_date"), settled: try row.bool("settled"),
      override: try override(row), underReview: try row.bool("under_review"),
      body: try row.optionalString("body"), decided: try row.bool("decided"),
      decidedFor: try row.optionalString("decided_for"),
      now: try row.instant("now"))
  }

  static func override(_ row: Row) throws(PostgresError) -> Work.Override? {
    guard let choice = try row.optionalString("override").flatMap(Choice.init(rawValue:)) else {
      return nil
    }
    return Work.Override(choice: choice, person: try row.string("by_whom"))
  }

  /// Requests whose moment has come become `queued`. Returns how many.
  public static func promote(on connection: inout Connection) throws(PostgresError) -> Int {
    try connection.query(SQL.requestPromote).count
  }

  /// A request that time moved: `withheld`, `queued` for its one late attempt, or `missed`.
  public struct Expired: Sendable {
    public let id: Int64
    public let state: String
    public let reason: String?
  }

  public static func expire(on connection: inout Connection) throws(PostgresError) -> [Expired] {
    try expired(connection.query(SQL.requestExpire))
  }

  /// Ends those whose time for a late attempt is over and that nobody claimed.
  public static func abandon(on connection: inout Connection) throws(PostgresError) -> [Expired] {
    try expired(
      connection.query(
        SQL.requestAbandon,
        [Environment.production, .sandbox].map { .interval(Deadline.lateLimit($0)) }))
  }

  private static func expired(_ rows: Rows) throws(PostgresError) -> [Expired] {
    var expired: [Expired] = []
    for row in rows {
      expired.append(
        Expired(
          id: try row.int64("id"), state: try row.string("state"),
          reason: try row.optionalString("state_reason")))
    }
    return expired
  }

  /// True while something is left that a daemon for `served` can work on now.
  public static func isPending(
    _ served: [Served], on connection: inout Connection
  ) throws(PostgresError) -> Bool {
    let rows = try connection.query(
      SQL.drainPending,
      [.array(served.map(\.bundleId)), .array(served.map(\.environment.rawValue))])
    guard let row = rows.first else { throw PostgresError.missingRow("drain_pending") }
    return try row.bool("pending")
  }

  /// Payloads that are done with and older than `age` go; their rows stay.
  public static func forgetPayloads(
    olderThan age: Duration, on connection: inout Connection
  ) throws(PostgresError) -> Int {
    try connection.query(SQL.payloadForget, [.interval(age)]).affectedRows
  }
}

/// A request whose stored transaction cannot be read back: never the fault of its neighbours.
public struct UnreadableRequest: Error {
  public let claim: Requests.Claim
  public let reason: String
}
