/// What a webhook was posted.
public enum SignedPayload {
  /// 256 kB, the limit of `consumptiond.enqueue`.
  public static let maximumBytes = 256 * 1024

  /// The signed payload in Apple's body `{"signedPayload": "…"}`, or the text itself when it is one
  /// already; without the white space around it. What is neither comes back as it is, for the
  /// verification to refuse.
  public static func extract(_ posted: String) -> String {
    let trimmed = trim(posted)
    guard
      trimmed.utf8.first == UInt8(ascii: "{"),
      // Room for the body around a payload of the largest size.
      trimmed.utf8.count <= maximumBytes + 1024,
      let payload = JSONObject(trimmed)?.string("signedPayload")
    else { return trimmed }
    return trim(payload)
  }

  private static func trim(_ text: String) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { !isSpace($0) }) else { return "" }
    guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(text[first...last])
  }
}
