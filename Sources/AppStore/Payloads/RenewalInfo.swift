/// A decoded `JWSRenewalInfoDecodedPayload`: what comes after the disputed period.
public struct RenewalInfo: Sendable, Equatable {
  public let originalTransactionId: String
  public let productId: String?
  public let autoRenewProductId: String?
  /// 0 off, 1 on.
  public let autoRenewStatus: Int?
  /// When the subscription renews or would have.
  public let renewalDate: Instant?
  public let recentSubscriptionStartDate: Instant?
  public let environment: Environment
  public let signedAt: Instant

  init(_ claims: Claims) throws(SignedPayloadError) {
    originalTransactionId = try claims.text("originalTransactionId")
    productId = claims.optionalText("productId")
    autoRenewProductId = claims.optionalText("autoRenewProductId")
    autoRenewStatus = claims.json.int("autoRenewStatus")
    renewalDate = claims.json.instant("renewalDate")
    recentSubscriptionStartDate = claims.json.instant("recentSubscriptionStartDate")
    signedAt = try claims.instant("signedDate")
    environment = try claims.environment()
  }
}
