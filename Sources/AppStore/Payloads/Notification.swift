/// A decoded App Store Server Notification, version 2.
///
/// Types, subtypes and reasons are Apple's words, whatever they are: Apple adds some every year,
/// and none of them may stop a payload.
public struct Notification: Sendable, Equatable {
  public let type: String
  public let subtype: String?
  /// Names the notification; a repeated delivery has the same.
  public let uuid: String
  public let signedAt: Instant
  public let version: String
  public let bundleId: String
  public let environment: Environment
  /// Apple leaves it out in the sandbox.
  public let appAppleId: Int64?
  /// Why the customer wants the money back, verbatim; on a CONSUMPTION_REQUEST.
  public let consumptionRequestReason: String?
  /// 1 to 5, of an auto-renewable subscription at the signed date.
  public let status: Int?
  let signedTransaction: String?
  let signedRenewal: String?
  /// On a RESCIND_CONSENT.
  let signedAppTransaction: String?

  public var isConsumptionRequest: Bool { type == "CONSUMPTION_REQUEST" }
  public var isRescindConsent: Bool { type == "RESCIND_CONSENT" }

  init(_ claims: Claims) throws(SignedPayloadError) {
    type = try claims.text("notificationType")
    subtype = claims.optionalText("subtype")
    uuid = try claims.text("notificationUUID")
    signedAt = try claims.instant("signedDate")
    let content = try Content(claims)
    let body = Claims(object: .notification, json: content.json)
    bundleId = try body.text("bundleId")
    appAppleId = body.json.int64("appAppleId")
    consumptionRequestReason = body.optionalText("consumptionRequestReason")
    status = body.json.int("status")
    signedTransaction = try body.signedText("signedTransactionInfo")
    signedRenewal = try body.signedText("signedRenewalInfo")
    signedAppTransaction = try body.signedText("signedAppTransactionInfo")
    if type == "CONSUMPTION_REQUEST", signedTransaction == nil {
      throw claims.malformed("data.signedTransactionInfo", "a JWS in a CONSUMPTION_REQUEST")
    }
    let environment = Result { () throws(SignedPayloadError) in try content.environment() }
    if case .failure(let error) = environment, error.reason == .malformed { throw error }
    version = try Self.version(claims)
    self.environment = try environment.get()
  }

  private static func version(_ claims: Claims) throws(SignedPayloadError) -> String {
    let found = claims.optionalText("version")
    guard
      let found, found.hasPrefix("2."), found.utf8.count > 2,
      found.utf8.dropFirst(2).allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else {
      throw SignedPayloadError(.version, .notification, expected: "version 2.x", found: found)
    }
    return found
  }

  /// The one object that a notification carries (App Store Server Notifications,
  /// `responseBodyV2DecodedPayload`).
  private struct Content {
    let key: String
    let json: JSONObject

    init(_ claims: Claims) throws(SignedPayloadError) {
      for key in ["data", "appData", "summary", "externalPurchaseToken"] {
        if claims.json.isPresent(key) {
          guard let json = claims.json.object(key) else { throw claims.malformed(key, "an object") }
          self.key = key
          self.json = json
          return
        }
      }
      throw claims.malformed("data, appData, summary, externalPurchaseToken", "one of them")
    }

    /// An external purchase token says its environment by a prefix of its id.
    func environment() throws(SignedPayloadError) -> Environment {
      let claims = Claims(object: .notification, json: json)
      guard key == "externalPurchaseToken" else { return try claims.environment() }
      return try claims.text("externalPurchaseId").hasPrefix("SANDBOX") ? .sandbox : .production
    }
  }
}
