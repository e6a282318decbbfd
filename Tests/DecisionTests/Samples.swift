import AppStore

/// Transactions as Apple signs them, with what a test wants changed.
enum Samples {
  /// 2026-11-18 20:04:41 UTC
  static let start = Instant(milliseconds: 1_795_032_281_000)
  static let day: Duration = .seconds(86_400)
  /// Thirty days later.
  static let end = start + day * 30
  /// Twelve days after the purchase.
  static let signedAt = start + day * 12

  /// - Parameter changes: JSON by key; nil takes a key out.
  static func transaction(_ changes: [String: String?] = [:]) throws -> Transaction {
    var members: [String: String] = [
      "transactionId": "\"700000000001\"",
      "originalTransactionId": "\"200000000001\"",
      "bundleId": "\"com.example.app\"",
      "productId": "\"pro.monthly\"",
      "purchaseDate": "\(start.milliseconds)",
      "expiresDate": "\(end.milliseconds)",
      "quantity": "1",
      "type": "\"Auto-Renewable Subscription\"",
      "inAppOwnershipType": "\"PURCHASED\"",
      "signedDate": "\(signedAt.milliseconds)",
      "environment": "\"Production\"",
      "storefront": "\"USA\"",
      "price": "9990",
      "currency": "\"USD\"",
    ]
    for (key, value) in changes { members[key] = value }
    return try Transaction(json: json(members))
  }

  /// A purchase without end.
  static func consumable(_ changes: [String: String?] = [:]) throws -> Transaction {
    try transaction(
      ["type": "\"Consumable\"", "expiresDate": nil].merging(changes) { $1 })
  }

  static func renewal(at date: Instant?) throws -> RenewalInfo {
    var members = [
      "originalTransactionId": "\"200000000001\"",
      "signedDate": "\(signedAt.milliseconds)",
      "environment": "\"Production\"",
    ]
    if let date { members["renewalDate"] = "\(date.milliseconds)" }
    return try RenewalInfo(json: json(members))
  }

  private static func json(_ members: [String: String]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
}
