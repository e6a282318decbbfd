public import AppStore
import FoundationEssentials

/// Signs App Store Server Notifications as Apple would, on a chain of its own.
public struct NotificationSigner: Sendable {
  public let chain: SigningChain
  public var bundleId: String
  /// Only told in Production, as Apple does.
  public var appAppleId: Int64
  public var environment: AppStore.Environment
  /// Told of each transaction that is signed, so that the App Store knows its product type.
  let issue: @Sendable (IssuedTransaction) -> Void

  public init(
    chain: SigningChain, bundleId: String = "com.example.app", appAppleId: Int64 = 1_234_567_890,
    environment: AppStore.Environment = .production,
    onIssue: @escaping @Sendable (IssuedTransaction) -> Void = { _ in }
  ) {
    self.chain = chain
    self.bundleId = bundleId
    self.appAppleId = appAppleId
    self.environment = environment
    issue = onIssue
  }

  /// Signs for `store`, which then knows the transactions.
  public init(
    chain: SigningChain, store: SimulatedAppStore, bundleId: String = "com.example.app",
    environment: AppStore.Environment = .production
  ) {
    self.init(chain: chain, bundleId: bundleId, environment: environment) { store.know($0) }
  }

  /// A refund was asked for.
  /// - Parameters:
  ///   - reason: one of Apple's words, or another; nil leaves the field out.
  ///   - renewal: fields of the renewal info to set, or to remove with nil.
  public func consumptionRequest(
    transaction: TransactionDraft, reason: String? = "UNINTENDED_PURCHASE",
    signedAt: Instant = .now(), uuid: String? = nil, renewal: [String: JSONValue?] = [:]
  ) throws(SimulationError) -> String {
    try notification(
      "CONSUMPTION_REQUEST", transaction: transaction, signedAt: signedAt, uuid: uuid,
      renewal: renewal, data: ["consumptionRequestReason": reason.map(JSONValue.string)])
  }

  /// Apple refunded; in part when `percentage` (milliunits, 50000 is half) is given.
  public func refund(
    transaction: TransactionDraft, percentage: Int64? = nil, revokedAt: Instant? = nil,
    signedAt: Instant = .now(), uuid: String? = nil
  ) throws(SimulationError) -> String {
    let revoked =
      transaction
      .with("revocationDate", JSONValue((revokedAt ?? signedAt).milliseconds))
      .with("revocationReason", 0)
      .with("revocationType", percentage == nil ? "REFUND_FULL" : "REFUND_PRORATED")
      .with("revocationPercentage", JSONValue(percentage ?? 100_000))
    return try notification("REFUND", transaction: revoked, signedAt: signedAt, uuid: uuid)
  }

  public func refundDeclined(
    transaction: TransactionDraft, signedAt: Instant = .now(), uuid: String? = nil
  ) throws(SimulationError) -> String {
    try notification("REFUND_DECLINED", transaction: transaction, signedAt: signedAt, uuid: uuid)
  }

  /// The revocation fields are gone again.
  public func refundReversed(
    transaction: TransactionDraft, signedAt: Instant = .now(), uuid: String? = nil
  ) throws(SimulationError) -> String {
    try notification("REFUND_REVERSED", transaction: transaction, signedAt: signedAt, uuid: uuid)
  }

  /// - Parameter transaction: the new period's.
  public func renewal(
    transaction: TransactionDraft, subtype: String? = nil, signedAt: Instant = .now(),
    uuid: String? = nil
  ) throws(SimulationError) -> String {
    try notification(
      "DID_RENEW", subtype: subtype, transaction: transaction, signedAt: signedAt, uuid: uuid)
  }

  /// `TEST`: a `data` without any transaction.
  public func test(signedAt: Instant = .now(), uuid: String? = nil) throws(SimulationError)
    -> String
  {
    try notification("TEST", transaction: nil, signedAt: signedAt, uuid: uuid)
  }

  /// `RENEWAL_EXTENSION` with `summary` in place of `data`.
  public func summary(signedAt: Instant = .now(), uuid: String? = nil) throws(SimulationError)
    -> String
  {
    var payload = envelope("RENEWAL_EXTENSION", "SUMMARY", signedAt, uuid)
    var summary = app
    summary["requestIdentifier"] = .string(UUID().uuidString.lowercased())
    summary["productId"] = "pro.monthly"
    summary["storefrontCountryCodes"] = ["CAN"]
    summary["succeededCount"] = 5
    summary["failedCount"] = 2
    payload["summary"] = .object(summary)
    return try chain.sign(payload)
  }

  /// A guardian withdrew consent: `appData` with an app transaction.
  public func rescindConsent(
    appTransactionId: String, signedAt: Instant = .now(), uuid: String? = nil
  ) throws(SimulationError) -> String {
    var appTransaction: JSONObject = [
      "receiptType": .string(environment.rawValue),
      "bundleId": .string(bundleId),
      "appTransactionId": .string(appTransactionId),
      "applicationVersion": "42",
      "receiptCreationDate": JSONValue(signedAt.milliseconds),
      "originalPurchaseDate": JSONValue(signedAt.milliseconds),
      "originalApplicationVersion": "1",
    ]
    if environment == .production { appTransaction["appAppleId"] = JSONValue(appAppleId) }
    var payload = envelope("RESCIND_CONSENT", nil, signedAt, uuid)
    var appData = app
    appData["signedAppTransactionInfo"] = .string(try chain.sign(appTransaction))
    payload["appData"] = .object(appData)
    return try chain.sign(payload)
  }

  /// A notification of any type.
  /// - Parameter data: fields of `data` to set, or to remove with nil.
  public func notification(
    _ type: String, subtype: String? = nil, transaction: TransactionDraft?,
    signedAt: Instant = .now(), uuid: String? = nil, renewal: [String: JSONValue?] = [:],
    data: [String: JSONValue?] = [:]
  ) throws(SimulationError) -> String {
    try chain.sign(
      payload(
        type, subtype: subtype, transaction: transaction, signedAt: signedAt, uuid: uuid,
        renewal: renewal, data: data))
  }
}
