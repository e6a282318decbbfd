internal import Crypto

/// A JWS in compact form (RFC 7515, section 7.1) taken apart, with nothing proven yet.
struct EncodedPayload {
  /// Names the header in the cache of verified chains.
  let headerHash: [UInt8]
  let header: JSONObject
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
    let bytes = Array(jws.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw malformed("expected a JWS of 3 parts, found \(parts.count)")
    }
    guard
      let headerBytes = Base64URL.decode(parts[0]),
      let payloadBytes = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw malformed("a part is not base64url") }
    header = try Self.read(headerBytes, "header", object).json
    // An extension that must be understood, and is not (RFC 7515, section 4.1.11).
    guard !header.isPresent("crit") else { throw malformed("header: crit is not supported") }
    let payload = try Self.read(payloadBytes, "payload", object)
    claims = Claims(object: object, json: payload.json)
    text = payload.text
    self.signature = signature
    signedBytes = Array(bytes[..<parts[1].endIndex])
    headerHash = SHA256.hash(Array(parts[0]))
  }

  private static func read(
    _ bytes: [UInt8], _ part: String, _ object: SignedObject
  ) throws(SignedPayloadError) -> (json: JSONObject, text: String) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SignedPayloadError(.malformed, object, "\(part): not UTF-8")
    }
    guard let json = JSONObject(text) else {
      throw SignedPayloadError(.malformed, object, "\(part): expected a JSON object")
    }
    return (json, text)
  }
}
