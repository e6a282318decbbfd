import AppStore
import Crypto
import FoundationEssentials
import TestCertificates

/// Signs what a test wants to be Apple's.
struct TestSigner {
  let chain: TestChain
  /// The signed date of everything: 2026-09-21 14:13:20 UTC.
  static let signedAt = Instant(milliseconds: 1_790_000_000_000)
  static let now = signedAt + .seconds(60)
  static let app = AppIdentity(
    bundleId: "com.example", appAppleId: 1234, environments: [.production, .sandbox])

  init(_ chain: TestChain? = nil) throws {
    self.chain = try chain ?? TestChain()
  }

  func verifier(apps: [AppIdentity]? = [app]) throws -> NotificationVerifier {
    NotificationVerifier(anchors: try chain.anchors(), apps: apps)
  }

  /// A JWS over `payload`; the header is the chain's unless another is given.
  func sign(_ payload: String, header: String? = nil, key: SigningKey? = nil) throws -> String {
    let header = header ?? self.header()
    let signed =
      Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
    let signature = try (key ?? chain.leaf.key).signature(over: Array(signed.utf8))
    return signed + "." + Base64URL.encode(signature)
  }

  func header(algorithm: String = "\"ES256\"", certificates: [[UInt8]]? = nil) -> String {
    let list = (certificates ?? chain.der).map { "\"\(Base64.encode($0))\"" }
    return "{\"alg\":\(algorithm),\"x5c\":[\(list.joined(separator: ","))]}"
  }

  /// A CONSUMPTION_REQUEST of the sandbox, with what is to be different. A value of `nil` leaves a
  /// key out.
  func request(
    notification: [String: String?] = [:], data: [String: String?] = [:],
    transaction: [String: String?] = [:], renewal: [String: String?] = [:],
    innerKey: SigningKey? = nil
  ) throws -> String {
    let data = [
      "bundleId": "\"com.example\"", "environment": "\"Sandbox\"",
      "consumptionRequestReason": "\"OTHER\"",
      "signedTransactionInfo":
        "\"\(try sign(Self.object(Self.transaction, transaction), key: innerKey))\"",
      "signedRenewalInfo": "\"\(try sign(Self.object(Self.renewal, renewal)))\"",
    ].merging(data) { $1 }
    return try sign(
      Self.object(
        Self.notification.merging(["data": Self.object(data)]) { $1 }, notification))
  }

  static let notification: [String: String?] = [
    "notificationType": "\"CONSUMPTION_REQUEST\"", "notificationUUID": "\"uuid-1\"",
    "version": "\"2.0\"", "signedDate": "1790000000000",
  ]

  static let transaction: [String: String?] = [
    "transactionId": "\"23456\"", "originalTransactionId": "\"12345\"",
    "bundleId": "\"com.example\"", "productId": "\"pro.monthly\"",
    "purchaseDate": "1788963200000", "expiresDate": "1791555200000",
    "type": "\"Auto-Renewable Subscription\"", "inAppOwnershipType": "\"PURCHASED\"",
    "appAccountToken": "\"7e3fb20b-4cdb-47cc-936d-99d65f608138\"", "price": "9990",
    "currency": "\"EUR\"", "signedDate": "1790000000000", "environment": "\"Sandbox\"",
  ]

  static let renewal: [String: String?] = [
    "originalTransactionId": "\"12345\"", "autoRenewStatus": "1",
    "renewalDate": "1791555200000", "signedDate": "1790000000000",
    "environment": "\"Sandbox\"",
  ]

  static func object(_ members: [String: String?], _ changes: [String: String?] = [:]) -> String {
    let all = members.merging(changes) { $1 }.sorted { $0.key < $1.key }
    let texts = all.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    return "{" + texts.joined(separator: ",") + "}"
  }
}
