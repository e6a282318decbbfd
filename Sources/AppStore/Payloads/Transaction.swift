internal import FoundationEssentials

/// A decoded `JWSTransactionDecodedPayload`: one charge, one billing period.
public struct Transaction: Sendable, Equatable {
  /// Names this charge. Each renewal has its own, and the answer goes to this one.
  public let transactionId: String
  /// Names the subscription; equal to `transactionId` for a first purchase only.
  public let originalTransactionId: String
  public let webOrderLineItemId: String?
  public let bundleId: String
  public let productId: String
  public let subscriptionGroupIdentifier: String?
  /// Apple's word, see ``productType``.
  public let type: String
  public let purchaseDate: Instant
  public let originalPurchaseDate: Instant?
  /// The end of the billing period; of subscriptions that renew.
  public let expiresDate: Instant?
  public let quantity: Int?
  /// Nil as well when it is empty, all zeros (how Unity says "none") or no UUID at all: such a token
  /// names nobody, and a lookup by it would bind strangers to each other.
  public let appAccountToken: String?
  public let appTransactionId: String?
  /// `PURCHASED`, `FAMILY_SHARED`, `ASSIGNED` or a newer word.
  public let ownership: String?
  public let transactionReason: String?
  /// The whole charge in milliunits of `currency`; both vanish at times.
  public let price: Int64?
  public let currency: String?
  public let storefront: String?
  /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
  public let offerType: Int?
  public let offerDiscountType: String?
  public let revocation: Revocation?
  public let billingPlanType: String?
  public let commitment: Commitment?
  /// Such a purchase is answered on the first version of the endpoint.
  public let isAdvancedCommerce: Bool
  public let isUpgraded: Bool
  public let environment: Environment
  public let signedAt: Instant

  /// Nil for a type that Apple added later.
  public var productType: ProductType? { ProductType(rawValue: type) }
  public var isFamilyShared: Bool { ownership == "FAMILY_SHARED" }
  public var isAssigned: Bool { ownership == "ASSIGNED" }

  init(_ claims: Claims) throws(SignedPayloadError) {
    transactionId = try claims.text("transactionId")
    originalTransactionId = try claims.text("originalTransactionId")
    webOrderLineItemId = claims.optionalText("webOrderLineItemId")
    bundleId = try claims.text("bundleId")
    productId = try claims.text("productId")
    subscriptionGroupIdentifier = claims.optionalText("subscriptionGroupIdentifier")
    type = try claims.text("type")
    purchaseDate = try claims.instant("purchaseDate")
    originalPurchaseDate = claims.json.instant("originalPurchaseDate")
    expiresDate = claims.json.instant("expiresDate")
    quantity = claims.json.int("quantity")
    appAccountToken = Self.token(claims.optionalText("appAccountToken"))
    appTransactionId = claims.optionalText("appTransactionId")
    ownership = claims.optionalText("inAppOwnershipType")
    transactionReason = claims.optionalText("transactionReason")
    price = claims.json.int64("price")
    currency = claims.optionalText("currency")
    storefront = claims.optionalText("storefront")
    offerType = claims.json.int("offerType")
    offerDiscountType = claims.optionalText("offerDiscountType")
    revocation = Revocation(claims)
    billingPlanType = claims.optionalText("billingPlanType")
    commitment = Commitment(claims.json.object("commitmentInfo"))
    isAdvancedCommerce = claims.json.isPresent("advancedCommerceInfo")
    isUpgraded = claims.json.bool("isUpgraded") ?? false
    signedAt = try claims.instant("signedDate")
    environment = try claims.environment()
  }

  private static func token(_ text: String?) -> String? {
    guard let text, let uuid = UUID(uuidString: text) else { return nil }
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    return uuid == zero ? nil : text
  }
}
