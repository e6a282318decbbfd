import AppStore
import FoundationEssentials

extension NotificationSigner {
  /// What `notification` signs; forgeries change it first.
  func payload(
    _ type: String, subtype: String?, transaction: TransactionDraft?, signedAt: Instant,
    uuid: String?, renewal: [String: JSONValue?], data: [String: JSONValue?]
  ) throws(SimulationError) -> JSONObject {
    var fields = app
    fields["bundleVersion"] = "42"
    if let transaction {
      let payload = complete(transaction, signedAt)
      if let issued = IssuedTransaction(payload: payload) { issue(issued) }
      fields["signedTransactionInfo"] = .string(try chain.sign(payload))
      if payload["type"]?.string == ProductType.autoRenewable.rawValue {
        let info = renewalInfo(payload, signedAt, renewal)
        fields["signedRenewalInfo"] = .string(try chain.sign(info))
        fields["status"] = 1
      }
    }
    for (key, value) in data { fields[key] = value }
    var payload = envelope(type, subtype, signedAt, uuid)
    payload["data"] = .object(fields)
    return payload
  }

  func envelope(_ type: String, _ subtype: String?, _ signedAt: Instant, _ uuid: String?)
    -> JSONObject
  {
    [
      "notificationType": .string(type),
      "subtype": subtype.map(JSONValue.string),
      "notificationUUID": .string(uuid ?? UUID().uuidString.lowercased()),
      "version": "2.0",
      "signedDate": JSONValue(signedAt.milliseconds),
    ]
  }

  /// The app as `data`, `summary` and `appData` name it.
  var app: JSONObject {
    [
      "appAppleId": environment == .production ? JSONValue(appAppleId) : nil,
      "bundleId": .string(bundleId),
      "environment": .string(environment.rawValue),
    ]
  }

  /// The draft with what the signer knows; what the draft says itself stays.
  func complete(_ draft: TransactionDraft, _ signedAt: Instant) -> JSONObject {
    var fields = draft.fields
    fields["bundleId"] = fields["bundleId"] ?? .string(bundleId)
    fields["environment"] = fields["environment"] ?? .string(environment.rawValue)
    fields["signedDate"] = fields["signedDate"] ?? JSONValue(signedAt.milliseconds)
    return fields
  }

  private func renewalInfo(
    _ transaction: JSONObject, _ signedAt: Instant, _ changes: [String: JSONValue?]
  ) -> JSONObject {
    var info: JSONObject = [
      "originalTransactionId": transaction["originalTransactionId"],
      "autoRenewProductId": transaction["productId"],
      "productId": transaction["productId"],
      "autoRenewStatus": 1,
      "environment": transaction["environment"],
      "recentSubscriptionStartDate": transaction["originalPurchaseDate"],
      "renewalDate": transaction["expiresDate"],
      "signedDate": JSONValue(signedAt.milliseconds),
    ]
    for (key, value) in changes { info[key] = value }
    return info
  }
}
