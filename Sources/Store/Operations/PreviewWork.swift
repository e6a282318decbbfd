public import AppStore
internal import Decision
public import PostgreSQL
internal import Schema

/// Requests as a worker would see them, for somebody who only looks: no lease, no change.
public enum PreviewWork {
  /// - Returns: nil when there is no such request.
  public static func load(
    _ id: Int64, on connection: inout Connection
  ) throws(PostgresError) -> Result<Work, UnreadableRequest>? {
    try Requests.load([Requests.Claim(id: id, token: "")], on: &connection).first
  }

  /// The request that a payload would open; its id is 0.
  ///
  /// - Returns: nil when it would open none.
  public static func make(
    _ verified: VerifiedNotification, on connection: inout Connection
  ) throws(PostgresError) -> Work? {
    let notification = verified.notification
    guard notification.isConsumptionRequest, let transaction = verified.transaction else {
      return nil
    }
    let environment = notification.environment
    let rows = try connection.query(
      SQL.previewContext,
      [
        .text(environment.rawValue), .text(transaction.transactionId),
        .text(transaction.originalTransactionId), .instant(transaction.purchaseDate),
      ])
    guard let row = rows.first else { throw PostgresError.missingRow("preview_context") }
    let now = try row.instant("now")
    let deadline = Deadline.deadline(signedAt: notification.signedAt, environment)
    return Work(
      id: 0, token: "", bundleId: notification.bundleId, environment: environment,
      transactionId: transaction.transactionId,
      originalTransactionId: transaction.originalTransactionId,
      reason: notification.consumptionRequestReason, signedAt: notification.signedAt,
      deadline: deadline, late: deadline <= now, attempts: 0, looks: 0, degraded: false,
      alone: false, transaction: transaction, renewal: verified.renewal,
      laterPurchase: try row.optionalInstant("later_purchase"),
      revocationDate: try row.optionalInstant("revocation_date"), settled: false,
      override: try Requests.override(row), underReview: false, body: nil, decided: false,
      decidedFor: nil, now: now)
  }
}
