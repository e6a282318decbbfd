public import AppStore
public import Crypto

/// What App Store Connect knows about the app and its key.
public struct AppStoreSettings: Sendable {
  public var bundleId: String
  public var keyId: String
  public var issuerId: String
  public var publicKey: VerifyingKey
  /// Whose host this is; transactions of the other environment do not exist here. nil: both.
  public var environment: AppStore.Environment?

  public init(
    bundleId: String = "com.example.app", keyId: String = "2X9R4HXF34",
    issuerId: String = "57246542-96fe-1a63-e053-0824d011072a", publicKey: VerifyingKey,
    environment: AppStore.Environment? = nil
  ) {
    self.bundleId = bundleId
    self.keyId = keyId
    self.issuerId = issuerId
    self.publicKey = publicKey
    self.environment = environment
  }
}

/// A transaction that the App Store knows because it was signed here.
public struct IssuedTransaction: Sendable, Equatable {
  public let id: String
  /// One of Apple's words. Another one is judged as a product that is no auto-renewable
  /// subscription.
  public let type: String
  public let bundleId: String
  public let environment: String
  public let ownership: String
  public let appTransactionId: String?
  public let isAdvancedCommerce: Bool

  /// - Returns: nil when the payload has no transaction id.
  public init?(payload: JSONObject) {
    guard let id = payload["transactionId"]?.string else { return nil }
    self.id = id
    type = payload["type"]?.string ?? ""
    bundleId = payload["bundleId"]?.string ?? ""
    environment = payload["environment"]?.string ?? ""
    ownership = payload["inAppOwnershipType"]?.string ?? "PURCHASED"
    appTransactionId = payload["appTransactionId"]?.string
    isAdvancedCommerce = payload["advancedCommerceInfo"] != nil
  }

  /// What a later run needs to judge by it; nothing of the customer.
  var payload: JSONObject {
    [
      "transactionId": .string(id), "type": .string(type), "bundleId": .string(bundleId),
      "environment": .string(environment), "inAppOwnershipType": .string(ownership),
      "appTransactionId": appTransactionId.map(JSONValue.string),
      "advancedCommerceInfo": isAdvancedCommerce ? JSONValue.object([:]) : nil,
    ]
  }

  var isAutoRenewable: Bool { type == ProductType.autoRenewable.rawValue }
}
