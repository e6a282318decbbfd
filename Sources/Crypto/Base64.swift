/// The two alphabets of RFC 4648, decoded strictly.
///
/// Foundation's decoder either rejects base64url and missing padding, or, told to ignore unknown
/// characters, drops `-` and `_` without a word; both turn a forged text into another one that
/// verifies. Here a text has one meaning or none: no foreign character, no white space, no line
/// break, and the bits behind the last byte are zero.
struct Base64Alphabet {
  static let standard = Base64Alphabet(last: "+/", isPadded: true)
  static let url = Base64Alphabet(last: "-_", isPadded: false)

  private let characters: [UInt8]
  private let values: [UInt8]
  private let isPadded: Bool

  private static let invalid: UInt8 = 0xFF

  private init(last: String, isPadded: Bool) {
    let first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    characters = Array((first + last).utf8)
    var values = [UInt8](repeating: Self.invalid, count: 256)
    for (value, character) in characters.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    self.values = values
    self.isPadded = isPadded
  }

  func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = min(3, bytes.count - index)
      var group = UInt32(bytes[index]) << 16
      if rest > 1 { group |= UInt32(bytes[index + 1]) << 8 }
      if rest > 2 { group |= UInt32(bytes[index + 2]) }
      for position in 0...rest {
        text.append(characters[Int(group >> UInt32(18 - 6 * position)) & 63])
      }
      if isPadded {
        text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - rest))
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var text = Array(text)
    if isPadded {
      guard text.count.isMultiple(of: 4) else { return nil }
      for _ in 0..<2 where text.last == UInt8(ascii: "=") { text.removeLast() }
    }
    // One character alone holds six bits: less than a byte.
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value != Self.invalid else { return nil }
      bits = (bits << 6) | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return bits == 0 ? bytes : nil
  }
}

/// Base64url without padding (RFC 7515, section 2): the parts of a JWS.
public enum Base64URL {
  public static func encode(_ bytes: [UInt8]) -> String {
    Base64Alphabet.url.encode(bytes)
  }

  /// - Returns: nil for anything but the one canonical encoding of some bytes.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    Base64Alphabet.url.decode(text.utf8)
  }

  /// The same from ASCII; several times as fast as from a substring's `utf8`.
  public static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    Base64Alphabet.url.decode(text)
  }
}

/// Base64 with padding (RFC 4648, section 4): the certificates in `x5c` (RFC 7515, section 4.1.6).
public enum Base64 {
  public static func encode(_ bytes: [UInt8]) -> String {
    Base64Alphabet.standard.encode(bytes)
  }

  /// - Returns: nil for anything but the one canonical encoding of some bytes.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    Base64Alphabet.standard.decode(text.utf8)
  }
}
