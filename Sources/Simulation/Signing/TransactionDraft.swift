public import AppStore

/// A transaction before it is signed: Apple's fields with plausible values, each of which can be
/// set, or removed with nil.
public struct TransactionDraft: Sendable {
  public var fields: JSONObject

  public subscript(key: String) -> JSONValue? {
    get { fields[key] }
    set { fields[key] = newValue }
  }

  public func with(_ key: String, _ value: JSONValue?) -> TransactionDraft {
    var copy = self
    copy[key] = value
    return copy
  }

  public var id: String { fields["transactionId"]?.string ?? "" }

  /// One period of an auto-renewable subscription.
  /// - Parameters:
  ///   - originalId: nil: the first charge, whose two ids are the same.
  ///   - price: in milliunits; 9990 is 9.99.
  public static func subscription(
    id: String, originalId: String? = nil, token: String? = nil, product: String = "pro.monthly",
    purchased: Instant, expires: Instant, price: Int64? = 9990, currency: String? = "USD"
  ) -> TransactionDraft {
    var draft = TransactionDraft(
      .autoRenewable, id: id, originalId: originalId, token: token, product: product,
      purchased: purchased, price: price, currency: currency)
    draft["webOrderLineItemId"] = .string("9" + id)
    draft["subscriptionGroupIdentifier"] = "21000001"
    draft["expiresDate"] = JSONValue(expires.milliseconds)
    draft["transactionReason"] = originalId == nil || originalId == id ? "PURCHASE" : "RENEWAL"
    return draft
  }

  /// A purchase that does not renew, of any of the other three kinds.
  public static func oneTime(
    _ type: ProductType = .consumable, id: String, token: String? = nil,
    product: String = "coins.100", purchased: Instant, quantity: Int64 = 1,
    price: Int64? = 9990, currency: String? = "USD"
  ) -> TransactionDraft {
    TransactionDraft(
      type, id: id, originalId: nil, token: token, product: product, purchased: purchased,
      price: price, currency: currency
    ).with("quantity", JSONValue(quantity))
  }

  private init(
    _ type: ProductType, id: String, originalId: String?, token: String?, product: String,
    purchased: Instant, price: Int64?, currency: String?
  ) {
    fields = [
      "transactionId": .string(id),
      "originalTransactionId": .string(originalId ?? id),
      "bundleId": nil,  // the signer's
      "productId": .string(product),
      "purchaseDate": JSONValue(purchased.milliseconds),
      "originalPurchaseDate": JSONValue(purchased.milliseconds),
      "quantity": 1,
      "type": .string(type.rawValue),
      "appAccountToken": token.map(JSONValue.string),
      "inAppOwnershipType": "PURCHASED",
      "transactionReason": "PURCHASE",
      "storefront": "USA",
      "storefrontId": "143441",
      "price": price.map { JSONValue($0) },
      "currency": price == nil ? nil : currency.map(JSONValue.string),
      "appTransactionId": .string("704" + id),
    ]
  }
}
