import AppStore

/// A subscription's charge, as Apple signs it.
enum Purchases {
  /// 2026-11-01 00:00:00 UTC
  static let start = Instant(milliseconds: 1_793_491_200_000)
  static let day: Duration = .seconds(86_400)
  static let end = start + day * 30

  /// - Parameter changes: JSON by key; nil takes a key out.
  static func json(_ changes: [String: String?] = [:]) -> String {
    var members: [String: String] = [
      "transactionId": "\"700001\"", "originalTransactionId": "\"700000\"",
      "bundleId": "\"com.example.app\"", "productId": "\"pro.monthly\"",
      "appAccountToken": "\"7e3fb204-2ec8-4fa7-9d7e-6c4b1c3a9f01\"",
      "purchaseDate": "\(start.milliseconds)", "expiresDate": "\(end.milliseconds)",
      "type": "\"Auto-Renewable Subscription\"", "quantity": "1",
      "inAppOwnershipType": "\"PURCHASED\"", "signedDate": "\(start.milliseconds)",
      "environment": "\"Production\"", "storefront": "\"USA\"", "price": "9990",
      "currency": "\"USD\"",
    ]
    for (key, value) in changes { members[key] = value }
    return "{"
      + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }
      .joined(separator: ",") + "}"
  }

  static func transaction(_ changes: [String: String?] = [:]) throws -> Transaction {
    try Transaction(json: json(changes))
  }
}
