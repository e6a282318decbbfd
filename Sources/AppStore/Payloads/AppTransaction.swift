/// A decoded app transaction, as far as a RESCIND_CONSENT needs it: whose consent is withdrawn.
public struct AppTransaction: Sendable, Equatable {
  /// The same in every transaction of this customer and app.
  public let appTransactionId: String
  public let bundleId: String
  public let appAppleId: Int64?
  public let environment: Environment
  /// When Apple signed it.
  public let createdAt: Instant

  init(_ claims: Claims) throws(SignedPayloadError) {
    appTransactionId = try claims.text("appTransactionId")
    bundleId = try claims.text("bundleId")
    appAppleId = claims.json.int64("appAppleId")
    createdAt = try claims.instant("receiptCreationDate")
    environment = try claims.environment("receiptType")
  }
}
