import AppStore
import Crypto

/// Judges the bearer token as the App Store would: everything wrong is the same bare 401 to the
/// client; the reason is for the log.
struct TokenCheck {
  let settings: AppStoreSettings

  /// Apple allows an hour and its libraries use five minutes; other parts of App Store Connect
  /// refuse more than twenty minutes, and so does this.
  static let longestLife: Int64 = 1200
  /// How far a client's clock may be ahead.
  static let clockTolerance: Int64 = 5

  func check(_ request: ServerRequest, now: Instant) throws(Refusal) {
    let values = request.values(of: "Authorization")
    guard values.count == 1, values[0].hasPrefix("Bearer ") else {
      throw Refusal(401, "no bearer token")
    }
    let parts = values[0].dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = object(parts[0]), let claims = object(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw Refusal(401, "the token is no JWT") }

    try expect("alg", header["alg"], "ES256")
    try expect("typ", header["typ"], "JWT")
    try expect("kid", header["kid"], settings.keyId)
    guard settings.publicKey.isValid(signature, over: Array("\(parts[0]).\(parts[1])".utf8)) else {
      throw Refusal(401, "the token's signature is not of this key (\(signature.count) bytes)")
    }
    try expect("iss", claims["iss"], settings.issuerId)
    try expect("aud", claims["aud"], "appstoreconnect-v1")
    try expect("bid", claims["bid"], settings.bundleId)
    guard let issued = claims["iat"]?.integer, let expires = claims["exp"]?.integer else {
      throw Refusal(401, "iat and exp must be whole seconds")
    }
    guard issued <= now.seconds + Self.clockTolerance else {
      throw Refusal(401, "iat is \(issued - now.seconds) s in the future")
    }
    guard expires > now.seconds else {
      throw Refusal(401, "the token ended \(now.seconds - expires) s ago")
    }
    guard expires - issued <= Self.longestLife else {
      throw Refusal(401, "the token lives \(expires - issued) s, more than \(Self.longestLife)")
    }
  }

  private func object(_ part: Substring) -> JSONObject? {
    guard let bytes = Base64URL.decode(part) else { return nil }
    return (try? JSONReader.read(bytes))?.object
  }

  private func expect(_ name: String, _ found: JSONValue?, _ expected: String) throws(Refusal) {
    guard found == .string(expected) else {
      throw Refusal(401, "\(name) is \(found?.text ?? "missing"), not \"\(expected)\"")
    }
  }
}
