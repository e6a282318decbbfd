public import AppStore
import Crypto

/// What a forger would try, or what goes to the wrong daemon; each must be refused.
public enum Forgery: String, Sendable, CaseIterable {
  /// Signed by a key that is not the leaf's.
  case otherKey
  /// The payload was changed after it had been signed.
  case changedPayload
  /// The signature is half a signature.
  case shortSignature
  /// `alg` is none, and the signature empty.
  case algorithmNone
  case withoutChain
  case twoCertificates
  case fourCertificates
  /// A chain of the same names on a root of the forger's own.
  case otherRoot
  /// A chain without Apple's marker in the leaf: any developer can get one.
  case unmarkedLeaf
  case unmarkedIntermediate
  /// The transaction inside is another app's.
  case otherBundleInside
  case otherEnvironmentInside
  /// The transaction inside is signed on a root of the forger's own.
  case otherRootInside
  /// The renewal info belongs to another subscription.
  case otherSubscriptionInside
  /// The whole is for another app.
  case otherBundle
  /// Xcode's own test environment, whose payloads Apple's libraries do not verify.
  case xcode
}

extension NotificationSigner {
  /// A consumption request with `forgery` in it.
  public func forged(
    _ forgery: Forgery, transaction: TransactionDraft, signedAt: Instant = .now()
  ) throws(SimulationError) -> String {
    let other = NotificationSigner(
      chain: try SigningChain(), bundleId: bundleId, appAppleId: appAppleId,
      environment: environment)
    func payload(_ data: [String: JSONValue?] = [:], _ renewal: [String: JSONValue?] = [:])
      throws(SimulationError) -> JSONObject
    {
      try self.payload(
        "CONSUMPTION_REQUEST", subtype: nil, transaction: transaction, signedAt: signedAt,
        uuid: nil, renewal: renewal, data: data)
    }
    func inside(_ key: String, _ value: JSONValue, _ chain: SigningChain) throws(SimulationError)
      -> String
    {
      let changed = complete(transaction.with(key, value), signedAt)
      return try self.chain.sign(
        payload(["signedTransactionInfo": .string(try chain.sign(changed))]))
    }
    switch forgery {
    case .otherBundleInside: return try inside("bundleId", "com.example.other", chain)
    case .otherEnvironmentInside:
      let wrong: AppStore.Environment = environment == .production ? .sandbox : .production
      return try inside("environment", .string(wrong.rawValue), chain)
    case .otherRootInside: return try inside("productId", "pro.monthly", other.chain)
    case .otherSubscriptionInside:
      return try chain.sign(payload([:], ["originalTransactionId": "1"]))
    case .otherBundle: return try chain.sign(payload(["bundleId": "com.example.other"]))
    case .xcode: return try chain.sign(payload(["environment": "Xcode"]))
    case .otherRoot: return try other.chain.sign(payload())
    case .unmarkedLeaf:
      return try SigningChain(markers: .intermediate).sign(payload())
    case .unmarkedIntermediate:
      return try SigningChain(markers: .leaf).sign(payload())
    case .otherKey, .changedPayload, .shortSignature, .algorithmNone, .withoutChain,
      .twoCertificates, .fourCertificates:
      return try broken(JWSParts(chain: chain, payload: payload()), forgery, other.chain)
    }
  }

  /// Forgeries of the envelope itself.
  private func broken(_ whole: JWSParts, _ forgery: Forgery, _ other: SigningChain)
    throws(SimulationError) -> String
  {
    var parts = whole
    let certificates = chain.x5c.map { JSONValue.string(Base64.encode($0.der)) }
    switch forgery {
    case .otherKey:
      return try parts.signed(by: other)
    case .changedPayload:
      let signature = try parts.signed(by: chain).split(separator: ".")[2]
      parts.payload["notificationUUID"] = "00000000-0000-4000-8000-000000000000"
      return parts.signingInput + "." + signature
    case .shortSignature:
      let signature = try chain.signature(over: parts.signingInput)
      return parts.signingInput + "." + Base64URL.encode(Array(signature[..<32]))
    case .algorithmNone:
      parts.header["alg"] = "none"
      return parts.signingInput + "."
    case .withoutChain: parts.header["x5c"] = nil
    case .twoCertificates: parts.header["x5c"] = .array(Array(certificates[..<2]))
    default: parts.header["x5c"] = .array(certificates + [certificates[2]])
    }
    return try parts.signed(by: chain)
  }
}
