import FoundationEssentials

/// `ConsumptionRequestV1`, which Advanced Commerce purchases are still answered by.
struct ConsumptionV1Check {
  let body: JSONObject
  /// nil: not known here, so that nothing can be said about its product.
  let transaction: IssuedTransaction?

  /// The numbered fields: the highest value, and what Apple says to anything else.
  private static let numbers: [(key: String, highest: Int64, error: AppleError)] = [
    ("accountTenure", 7, .invalidAccountTenure),
    ("consumptionStatus", 3, .invalidConsumptionStatus),
    ("deliveryStatus", 5, .invalidDeliveryStatus),
    ("lifetimeDollarsPurchased", 7, .invalidLifetimeDollarsPurchased),
    ("lifetimeDollarsRefunded", 7, .invalidLifetimeDollarsRefunded),
    ("platform", 2, .invalidPlatform),
    ("playTime", 7, .invalidPlayTime),
    ("userStatus", 4, .invalidUserStatus),
  ]
  private static let others: Set = [
    "appAccountToken", "customerConsented", "sampleContentProvided", "refundPreference",
  ]

  func check() throws(Refusal) {
    try checkTransaction()
    let known = Self.others.union(Self.numbers.map(\.key))
    for key in body.keys where !known.contains(key) {
      throw Refusal(.generalBadRequest, "an unknown key: \(key)")
    }
    guard body["customerConsented"] == true else {
      throw Refusal(.invalidCustomerConsented, "customerConsented is not true")
    }
    guard body["sampleContentProvided"]?.bool != nil else {
      throw Refusal(.invalidSampleContentProvided, "sampleContentProvided is not a boolean")
    }
    for (key, highest, error) in Self.numbers {
      guard let value = body[key]?.integer, (0...highest).contains(value) else {
        throw Refusal(error, "\(key) is \(body[key]?.text ?? "missing"), not 0 to \(highest)")
      }
    }
    guard let token = body["appAccountToken"]?.string,
      token.isEmpty || UUID(uuidString: token) != nil
    else {
      throw Refusal(.invalidAppAccountToken, "appAccountToken is neither a UUID nor empty")
    }
    if let preference = body["refundPreference"] {
      guard let value = preference.integer, (0...3).contains(value) else {
        throw Refusal(.invalidRefundPreference, "refundPreference is \(preference.text)")
      }
    }
  }

  private func checkTransaction() throws(Refusal) {
    guard let transaction else { return }
    if transaction.ownership == "ASSIGNED" {
      throw Refusal(.assignedTransaction, "a seat assigned by an organization")
    }
    let supported = ["Auto-Renewable Subscription", "Consumable"]
    guard transaction.isAdvancedCommerce || supported.contains(transaction.type) else {
      throw Refusal(.transactionTypeNotSupported, "V1 does not take a \(transaction.type)")
    }
  }
}
