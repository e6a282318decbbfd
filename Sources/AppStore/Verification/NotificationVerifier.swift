public import Crypto

/// Proves that a notification is Apple's, whole, and for one of our apps.
///
/// The notification, its transaction and its renewal info are three signatures, and each is
/// verified in full: a true envelope around a forged transaction is the attack that matters here.
/// A value with a cache inside: it belongs to one queue.
public struct NotificationVerifier: Sendable {
  private var verifier: PayloadVerifier
  private let apps: [AppIdentity]?

  /// - Parameter apps: nil verifies signatures and that the parts agree, and asks for no app. An
  ///   empty list accepts nothing.
  public init(anchors: TrustAnchors, apps: [AppIdentity]?) {
    verifier = PayloadVerifier(anchors: anchors)
    self.apps = apps
  }

  var cachedChains: Int { verifier.cache.count }

  /// - Parameters:
  ///   - payload: the JWS alone, see ``SignedPayload/extract(_:)``.
  ///   - now: the database's clock.
  public mutating func verify(
    _ payload: String, now: Instant
  ) throws(SignedPayloadError) -> VerifiedNotification {
    let (notification, json) = try verifier.verify(payload, as: .notification, now: now) {
      claims throws(SignedPayloadError) in try Notification(claims)
    }
    try checkIdentity(notification)
    let transaction = try transaction(of: notification, now: now)
    let renewal = try renewal(of: notification, transaction?.value, now: now)
    return VerifiedNotification(
      notification: notification, transaction: transaction?.value, renewal: renewal?.value,
      appTransaction: appTransaction(of: notification, now: now),
      notificationJSON: json, transactionJSON: transaction?.json, renewalJSON: renewal?.json)
  }

  private func checkIdentity(_ notification: Notification) throws(SignedPayloadError) {
    guard let apps else { return }
    let sameBundle = apps.filter { $0.bundleId == notification.bundleId }
    // For a bundle that is not ours the environment is judged by what all our apps serve.
    let served = (sameBundle.isEmpty ? apps : sameBundle).reduce(into: Set<Environment>()) {
      $0.formUnion($1.environments)
    }
    guard served.contains(notification.environment) else {
      throw SignedPayloadError(
        .environment, .notification, expected: Self.list(served.map(\.rawValue)),
        found: notification.environment.rawValue)
    }
    guard !sameBundle.isEmpty else {
      throw SignedPayloadError(
        .bundleId, .notification, expected: Self.list(apps.map(\.bundleId)),
        found: notification.bundleId)
    }
    // Apple sends no id in the sandbox.
    guard notification.environment == .production else { return }
    let expected = sameBundle.compactMap(\.appAppleId)
    guard let found = notification.appAppleId, expected.contains(found) else {
      throw SignedPayloadError(
        .appAppleId, .notification, expected: Self.list(expected.map(String.init)),
        found: notification.appAppleId.map(String.init))
    }
  }

  private static func list(_ words: [String]) -> String {
    words.isEmpty ? "nothing" : words.sorted().joined(separator: " or ")
  }

  private mutating func transaction(
    of notification: Notification, now: Instant
  ) throws(SignedPayloadError) -> (value: Transaction, json: String)? {
    guard let jws = notification.signedTransaction else { return nil }
    let found = try verifier.verify(jws, as: .transaction, now: now) {
      claims throws(SignedPayloadError) in try Transaction(claims)
    }
    try Self.agree(.environment, .transaction, notification.environment, found.value.environment)
    try Self.agree(.bundleId, .transaction, notification.bundleId, found.value.bundleId)
    return found
  }

  private mutating func renewal(
    of notification: Notification, _ transaction: Transaction?, now: Instant
  ) throws(SignedPayloadError) -> (value: RenewalInfo, json: String)? {
    guard let jws = notification.signedRenewal else { return nil }
    let found = try verifier.verify(jws, as: .renewal, now: now) {
      claims throws(SignedPayloadError) in try RenewalInfo(claims)
    }
    try Self.agree(.environment, .renewal, notification.environment, found.value.environment)
    if let transaction {
      guard found.value.originalTransactionId == transaction.originalTransactionId else {
        throw SignedPayloadError(
          .malformed, .renewal,
          expected: "originalTransactionId \(transaction.originalTransactionId)",
          found: found.value.originalTransactionId)
      }
    }
    return found
  }

  private mutating func appTransaction(
    of notification: Notification, now: Instant
  ) -> Result<AppTransaction, SignedPayloadError>? {
    guard notification.isRescindConsent, let jws = notification.signedAppTransaction else {
      return nil
    }
    return Result { () throws(SignedPayloadError) in
      let found = try verifier.verify(
        jws, as: .appTransaction, dateKey: "receiptCreationDate", now: now
      ) { claims throws(SignedPayloadError) in try AppTransaction(claims) }.value
      try Self.agree(.environment, .appTransaction, notification.environment, found.environment)
      try Self.agree(.bundleId, .appTransaction, notification.bundleId, found.bundleId)
      if notification.environment == .production, notification.appAppleId != found.appAppleId {
        throw SignedPayloadError(
          .appAppleId, .appTransaction,
          expected: notification.appAppleId.map(String.init) ?? "none",
          found: found.appAppleId.map(String.init))
      }
      return found
    }
  }

  private static func agree(
    _ reason: RejectionReason, _ object: SignedObject, _ expected: Environment, _ found: Environment
  ) throws(SignedPayloadError) {
    try agree(reason, object, expected.rawValue, found.rawValue)
  }

  private static func agree(
    _ reason: RejectionReason, _ object: SignedObject, _ expected: String, _ found: String
  ) throws(SignedPayloadError) {
    guard expected == found else {
      throw SignedPayloadError(
        reason, object, expected: PlainText.excerpt(expected, limit: 100), found: found)
    }
  }
}
