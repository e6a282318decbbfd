public import AppStore
internal import Decision
public import PostgreSQL
internal import Schema

/// What `consumptiond.enqueue` took and nobody has verified yet.
public enum Inbox {
  /// A claimed row. Its death is counted already: it is taken back only when the row is done.
  public struct Row: Sendable {
    public let id: Int64
    public let payload: String
    public let deaths: Int
    /// The database's clock when the row was claimed: the clock that judges dates.
    public let now: Instant
  }

  /// Hands a payload over, as the webhook does.
  ///
  /// - Returns: the request's id; the same for the same payload.
  public static func enqueue(
    _ payload: String, on connection: inout Connection
  ) throws(PostgresError) -> Int64 {
    let rows = try connection.query(
      "SELECT consumptiond.enqueue($1) AS id", [.text(payload)])
    guard let row = rows.first else { throw PostgresError.missingRow("consumptiond.enqueue") }
    return try row.int64("id")
  }

  /// Claims undone rows for `claim`; a reader that dies gives them back by letting that time pass.
  public static func claim(
    atMost limit: Int, for claim: Duration, on connection: inout Connection
  ) throws(PostgresError) -> [Row] {
    let rows = try connection.query(SQL.inboxClaim, [.int(limit), .interval(claim)])
    var claimed: [Row] = []
    for row in rows {
      claimed.append(
        Row(
          id: try row.int64("id"), payload: try row.string("payload"),
          deaths: try row.int("deaths"), now: try row.instant("now")))
    }
    return claimed.sorted { $0.id < $1.id }
  }

  /// The row's payload does not hold: its end is `consumptiond.rejected`.
  public static func rejection(_ id: Int64, _ error: SignedPayloadError) -> Statement {
    Statement(
      SQL.inboxReject, [.int(id), .text(error.reason.rawValue), .text(error.detail)])
  }

  /// The row's payload holds: the ledger learns of it, and a CONSUMPTION_REQUEST becomes a request.
  /// The statement returns the request's first state, null when it opened none.
  public static func acceptance(_ id: Int64, _ verified: VerifiedNotification) -> Statement {
    let notification = verified.notification
    let transaction = verified.transaction
    let signedAt = notification.signedAt
    let environment = notification.environment
    let revocation = transaction?.revocation
    return Statement(
      SQL.inboxAccept,
      [
        .int(id), .text(notification.bundleId), .text(notification.environment.rawValue),
        .text(notification.uuid.lowercased()), .text(notification.type),
        .text(notification.subtype), .instant(notification.signedAt),
        .text(transaction?.transactionId), .text(transaction?.originalTransactionId),
        .text(transaction?.productId), .instant(transaction?.purchaseDate),
        .instant(transaction?.expiresDate), .instant(revocation?.date),
        .text(revocation?.type), .int(revocation?.percentage),
        .text(verified.transactionJSON), .text(verified.renewalJSON),
        .bool(notification.isConsumptionRequest && transaction != nil),
        .instant(Deadline.deadline(signedAt: signedAt, environment)),
        .instant(signedAt + Deadline.lateLimit(environment)),
        .text(transaction?.type), .text(notification.consumptionRequestReason),
      ])
  }
}
