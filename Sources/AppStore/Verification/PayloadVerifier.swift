internal import Crypto

/// Proves that one JWS was signed by the App Store at a time that makes sense.
///
/// In this order, so that the reason names the first thing that is wrong: size, shape, algorithm,
/// date, chain, signature, and then what the object itself says (version, environment). Who it is
/// for is for ``NotificationVerifier`` to compare.
struct PayloadVerifier: Sendable {
  /// 2020-01-01: before the App Store signed anything. A date in seconds lands in 1970.
  static let earliest = Instant(milliseconds: 1_577_836_800_000)
  /// How far Apple's clock may be ahead of ours.
  static let tolerance = Duration.seconds(300)

  private let anchors: TrustAnchors
  private(set) var cache = ChainCache()

  init(anchors: TrustAnchors) {
    self.anchors = anchors
  }

  /// - Parameters:
  ///   - decode: reads the claims. What it finds missing is `malformed` and said at once; what it
  ///     finds wrong otherwise is said when the signature holds.
  ///   - dateKey: the claim that says when it was signed.
  /// - Returns: the decoded object and its JSON as it was signed.
  mutating func verify<Value>(
    _ jws: String, as object: SignedObject, dateKey: String = "signedDate", now: Instant,
    decode: (Claims) throws(SignedPayloadError) -> Value
  ) throws(SignedPayloadError) -> (value: Value, json: String) {
    let encoded = try EncodedPayload(jws, as: object)
    let signedAt = encoded.claims.json.instant(dateKey)
    guard signedAt != nil || encoded.claims.json.isNumber(dateKey) else {
      throw encoded.claims.malformed(dateKey, "a date in milliseconds")
    }
    // A number that is no date is not a malformed payload but one with a wrong date.
    let decoded = Result { () throws(SignedPayloadError) -> Value in
      guard signedAt != nil else { throw Self.dateError(object, nil, now) }
      return try decode(encoded.claims)
    }
    if case .failure(let error) = decoded, error.reason == .malformed { throw error }

    try Self.checkAlgorithm(encoded.header, object)
    guard let signedAt, signedAt >= Self.earliest, signedAt <= now + Self.tolerance else {
      throw Self.dateError(object, signedAt, now)
    }
    let chain = try chain(encoded, object)
    guard chain.isValid(atMilliseconds: signedAt.milliseconds) else {
      throw SignedPayloadError(
        .chain, object, "a certificate was not valid at the signed date \(signedAt)")
    }
    guard chain.leafKey.isValid(encoded.signature, over: encoded.signedBytes) else {
      let found = encoded.signature.count
      throw SignedPayloadError(
        .signature, object,
        found == 64
          ? "not this payload's signature by the first certificate's key"
          : "expected 64 bytes, found \(found)")
    }
    cache.use(chain, headerHash: encoded.headerHash)
    return (try decoded.get(), encoded.text)
  }

  private static func checkAlgorithm(
    _ header: JSONObject, _ object: SignedObject
  ) throws(SignedPayloadError) {
    let algorithm = header.string("alg")
    guard algorithm == "ES256" else {
      throw SignedPayloadError(.algorithm, object, expected: "ES256", found: algorithm)
    }
  }

  private static func dateError(
    _ object: SignedObject, _ found: Instant?, _ now: Instant
  ) -> SignedPayloadError {
    SignedPayloadError(
      .date, object, expected: "a signed date from \(earliest) to \(now + tolerance)",
      found: found.map(\.description) ?? "a number that is no date")
  }

  private func chain(
    _ encoded: EncodedPayload, _ object: SignedObject
  ) throws(SignedPayloadError) -> CertificateChain {
    if let chain = cache[encoded.headerHash] { return chain }
    guard let entries = encoded.header.strings("x5c") else {
      throw SignedPayloadError(
        .chain, object, "expected 3 certificates in x5c, found no list of texts")
    }
    guard entries.count == 3 else {
      throw SignedPayloadError(
        .chain, object, "expected 3 certificates in x5c, found \(entries.count)")
    }
    var certificates: [[UInt8]] = []
    for entry in entries {
      guard let certificate = Base64.decode(entry) else {
        throw SignedPayloadError(.chain, object, "an entry of x5c is not base64")
      }
      certificates.append(certificate)
    }
    do {
      return try CertificateChain(certificates, anchors: anchors)
    } catch {
      throw SignedPayloadError(.chain, object, error.message)
    }
  }
}
