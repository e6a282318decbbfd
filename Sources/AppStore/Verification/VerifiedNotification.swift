/// A notification of which every signed part holds, and whose parts agree with each other.
public struct VerifiedNotification: Sendable {
  public let notification: Notification
  public let transaction: Transaction?
  public let renewal: RenewalInfo?
  /// The app transaction of a RESCIND_CONSENT, verified apart: one that does not hold says so here
  /// and does not reject the notification.
  public let appTransaction: Result<AppTransaction, SignedPayloadError>?

  /// The payloads' JSON as Apple signed it: the evidence.
  public let notificationJSON: String
  public let transactionJSON: String?
  public let renewalJSON: String?
}
