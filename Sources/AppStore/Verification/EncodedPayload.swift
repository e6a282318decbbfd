internal import Crypto

/// A JWS in compact form (RFC 7515, section 7.1) taken apart, with nothing proven yet.
struct EncodedPayload {
  /// Names the header in the cache of verified chains.
  let headerHash: [UInt8]
  let header: JSON
  let claims: Claims
  /// The payload's JSON as it was signed.
  let text: String
  let signature: [UInt8]
  let signedBytes: [UInt8]

  init(_ jws: String, as object: SignedObject) throws(SignedPayloadError) {
    func malformed(_ message: String) -> SignedPayloadError {
      SignedPayloadError(.malformed, object, message)
    }
    let count = jws.utf8.count
    guard count <= SignedPayload.maximumBytes else {
      throw SignedPayloadError(
        .tooLarge, object, "expected at most \(SignedPayload.maximumBytes) bytes, found \(count)")
    }
    if jws.utf8.first == UInt8(ascii: "{") {
      throw malformed("JSON without a signedPayload; version 1 of the notifications is not signed")
    }
    let parts = jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw malformed("expected a JWS of 3 parts, found \(parts.count)")
    }
    guard
      let headerBytes = Base64URL.decode(Substring(parts[0])),
      let payloadBytes = Base64URL.decode(Substring(parts[1])),
      let signature = Base64URL.decode(Substring(parts[2]))
    else { throw malformed("a part is not base64url") }
    header = try Self.parse(headerBytes, "header", object)
    // An extension that must be understood, and is not (RFC 7515, section 4.1.11).
    guard header["crit"] == nil else { throw malformed("header: crit is not supported") }
    claims = Claims(object: object, json: try Self.parse(payloadBytes, "payload", object))
    text = String(decoding: payloadBytes, as: UTF8.self)
    self.signature = signature
    signedBytes = Array(jws.utf8.prefix(parts[0].count + 1 + parts[1].count))
    headerHash = SHA256.hash(Array(parts[0]))
  }

  private static func parse(
    _ bytes: [UInt8], _ part: String, _ object: SignedObject
  ) throws(SignedPayloadError) -> JSON {
    let json: JSON
    do {
      json = try JSONParser.parse(bytes)
    } catch {
      throw SignedPayloadError(
        .malformed, object, "\(part): not JSON: \(error.message) at byte \(error.offset)")
    }
    guard json.isObject else {
      throw SignedPayloadError(.malformed, object, "\(part): expected a JSON object")
    }
    return json
  }
}
