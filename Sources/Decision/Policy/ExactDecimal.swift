/// A number as it was written, exactly: a plain decimal that PostgreSQL reads as `numeric`.
///
/// Money never passes through a floating-point number.
public struct ExactDecimal: Sendable, Equatable, CustomStringConvertible {
  public let text: String

  /// Nil when the text is anything but digits with an optional sign and fraction: no exponent, no
  /// NaN, no infinity.
  public init?(_ text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isDigits = { (part: Substring) in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard parts.allSatisfy(isDigits) else { return nil }
    self.text = text
  }

  public var isNegative: Bool {
    text.hasPrefix("-") && text.utf8.contains { (0x31...0x39).contains($0) }
  }

  public var isZero: Bool { !text.utf8.contains { (0x31...0x39).contains($0) } }

  public static let one = ExactDecimal(digits: 1)

  private init(digits: Int) { text = String(digits) }

  public var description: String { text }
}
