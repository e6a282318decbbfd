/// Why a payload is not accepted, in the words of `consumptiond.rejected` and in the order in which
/// they are checked.
public enum RejectionReason: String, Sendable, CaseIterable {
  case tooLarge = "too_large"
  case malformed
  case algorithm
  /// The signed date lies before 2020 or more than five minutes ahead.
  case date
  case chain
  case signature
  case version
  case environment
  case bundleId = "bundle_id"
  case appAppleId = "app_apple_id"
}

/// The signed objects, by the names that `detail` uses for them.
public enum SignedObject: String, Sendable {
  case notification
  case transaction
  case renewal
  case appTransaction = "app transaction"
}

/// A payload that does not hold.
///
/// Never holds the payload: `detail` says which JWS, what was expected and what was found, the
/// latter cut short and with its control characters escaped.
public struct SignedPayloadError: Error, Sendable, Equatable, CustomStringConvertible {
  public let reason: RejectionReason
  public let detail: String

  public init(reason: RejectionReason, detail: String) {
    self.reason = reason
    self.detail = detail
  }

  init(_ reason: RejectionReason, _ object: SignedObject, _ message: String) {
    self.init(reason: reason, detail: "\(object.rawValue): \(message)")
  }

  init(_ reason: RejectionReason, _ object: SignedObject, expected: String, found: String?) {
    let found = found.map { PlainText.excerpt($0, limit: 100) } ?? "none"
    self.init(reason, object, "expected \(expected), found \(found)")
  }

  public var description: String { "\(reason.rawValue): \(detail)" }
}
