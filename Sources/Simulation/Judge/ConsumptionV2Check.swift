/// `ConsumptionRequest`, the body of Send Consumption Information since version 1.19.
struct ConsumptionV2Check {
  let body: JSONObject
  /// nil: not known here, so that nothing can be said about its product.
  let transaction: IssuedTransaction?

  private static let keys: Set = [
    "customerConsented", "deliveryStatus", "sampleContentProvided", "consumptionPercentage",
    "refundPreference",
  ]
  private static let deliveryStatuses: Set = [
    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
    "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
  ]
  private static let preferences: Set = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

  func check() throws(Refusal) {
    try checkTransaction()
    for key in body.keys where !Self.keys.contains(key) {
      throw Refusal(.generalBadRequest, "an unknown key: \(key)")
    }
    guard body["customerConsented"] == true else {
      throw Refusal(.invalidCustomerConsented, "customerConsented is not true")
    }
    guard let delivery = body["deliveryStatus"]?.string, Self.deliveryStatuses.contains(delivery)
    else {
      throw Refusal(
        .invalidDeliveryStatus, "deliveryStatus is \(body["deliveryStatus"]?.text ?? "missing")")
    }
    guard body["sampleContentProvided"]?.bool != nil else {
      throw Refusal(.invalidSampleContentProvided, "sampleContentProvided is not a boolean")
    }
    if let preference = body["refundPreference"] {
      guard let word = preference.string, Self.preferences.contains(word) else {
        throw Refusal(.invalidRefundPreference, "refundPreference is \(preference.text)")
      }
    }
    try checkPercentage(delivered: delivery == "DELIVERED")
  }

  private func checkTransaction() throws(Refusal) {
    guard let transaction else { return }
    if transaction.isAdvancedCommerce {
      throw Refusal(.advancedCommerceTransaction, "an Advanced Commerce purchase goes to V1")
    }
    if transaction.ownership == "FAMILY_SHARED" {
      throw Refusal(.familyTransaction, "shared by Family Sharing")
    }
    if transaction.ownership == "ASSIGNED" {
      throw Refusal(.assignedTransaction, "a seat assigned by an organization")
    }
  }

  private func checkPercentage(delivered: Bool) throws(Refusal) {
    let percentage = body["consumptionPercentage"]
    let isAutoRenewable = transaction?.isAutoRenewable
    if let percentage {
      if isAutoRenewable == true {
        throw Refusal(
          .consumptionPercentageAutoRenewable, "a percentage for an auto-renewable subscription")
      }
      guard let value = percentage.integer, (0...100_000).contains(value) else {
        throw Refusal(
          .consumptionPercentageOutOfRange,
          "consumptionPercentage is \(percentage.text), not a whole number from 0 to 100000")
      }
      if !delivered && value != 0 {
        throw Refusal(
          .undeliveredConsumptionPercentageNonZero, "not delivered, and yet \(value) used")
      }
    }
    // Which error Apple gives is not documented; that these do not fit together is.
    if body["refundPreference"] == "GRANT_PRORATED", isAutoRenewable == false {
      guard let value = percentage?.integer, (1..<100_000).contains(value) else {
        throw Refusal(
          .invalidRefundPreference,
          "GRANT_PRORATED for a one-time purchase needs a percentage between 0 and 100000")
      }
    }
  }
}
