import FoundationEssentials
import TestSupport

@testable import AppStore

/// Verified notifications, without the trouble of signing them.
enum Notifications {
  static func make(
    _ type: String = "CONSUMPTION_REQUEST", uuid: String = UUID().uuidString,
    signedAt: Instant = .now(), environment: AppStore.Environment = .production,
    transactionId: String? = "700001", reason: String? = "OTHER"
  ) throws -> VerifiedNotification {
    var data = [
      "\"bundleId\":\"com.example.app\"", "\"environment\":\"\(environment.rawValue)\"",
    ]
    if let reason { data.append("\"consumptionRequestReason\":\"\(reason)\"") }
    if transactionId != nil { data.append("\"signedTransactionInfo\":\"x\"") }
    let json = """
      {"notificationType":"\(type)","notificationUUID":"\(uuid)","version":"2.0",\
      "signedDate":\(signedAt.milliseconds),"data":{\(data.joined(separator: ","))}}
      """
    let transactionJSON = transactionId.map {
      Purchases.json([
        "transactionId": "\"\($0)\"", "environment": "\"\(environment.rawValue)\"",
      ])
    }
    guard let object = JSONObject(json) else { throw TestSupportError("no JSON: \(json)") }
    return VerifiedNotification(
      notification: try Notification(Claims(object: .notification, json: object)),
      transaction: try transactionJSON.map { try Transaction(json: $0) }, renewal: nil,
      appTransaction: nil, notificationJSON: json, transactionJSON: transactionJSON,
      renewalJSON: nil)
  }
}
