/// The decoded payload of one JWS, read field by field.
///
/// Two kinds of fields: what the object is identified by must be there and be right, else it is
/// `malformed`; everything else is evidence, and evidence of another type than Apple documents is
/// absent. So a new or changed field never costs an answer.
struct Claims {
  let object: SignedObject
  let json: JSONObject

  /// A text that must be there.
  func text(_ key: String) throws(SignedPayloadError) -> String {
    guard let text = json.string(key), !text.isEmpty else {
      throw malformed(key, "a text")
    }
    return text
  }

  /// A date that must be there.
  func instant(_ key: String) throws(SignedPayloadError) -> Instant {
    guard let instant = json.instant(key) else {
      throw malformed(key, "a date in milliseconds")
    }
    return instant
  }

  /// A text that may be missing.
  func optionalText(_ key: String) -> String? {
    guard let text = json.string(key), !text.isEmpty else { return nil }
    return text
  }

  /// A JWS that may be missing, but must not be anything else: one that is overlooked is one that
  /// is not verified.
  func signedText(_ key: String) throws(SignedPayloadError) -> String? {
    guard json.isPresent(key) else { return nil }
    guard let text = json.string(key) else { throw malformed(key, "a JWS") }
    return text
  }

  /// The environment, once everything else about the object is known to be right.
  func environment(_ key: String = "environment") throws(SignedPayloadError) -> Environment {
    let word = try text(key)
    guard let environment = Environment(rawValue: word) else {
      throw SignedPayloadError(
        .environment, object, expected: "Production or Sandbox", found: word)
    }
    return environment
  }

  func malformed(_ key: String, _ expected: String) -> SignedPayloadError {
    SignedPayloadError(.malformed, object, "\(key): expected \(expected)")
  }
}
