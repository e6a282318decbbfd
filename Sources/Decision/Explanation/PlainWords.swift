import AppStore

/// How values are written for people.
enum PlainWords {
  /// `2026-11-30 20:04:41 UTC`: the second is enough for people, and the zone is always said.
  static func time(_ instant: Instant) -> String {
    let text = instant.iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
  }

  /// Thousandths of a unit as units, exactly: 9990 is 9.99.
  static func units(milliunits: Int64) -> String {
    let (whole, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
    let digits = String(String(thousandths + 1000).dropFirst())
    let sign = milliunits < 0 ? "-" : ""
    return "\(sign)\(whole)." + (digits.hasSuffix("0") ? String(digits.prefix(2)) : digits)
  }

  /// A fact as people read it: of a long fraction the first digits, and a sign that it goes on. The
  /// exact number stands among the facts.
  static func value(_ text: String) -> String {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count > 6, ExactDecimal(text) != nil else { return word(text) }
    return "\(parts[0]).\(parts[1].prefix(4))…"
  }

  /// A word of Apple's or of the user's in quotation marks.
  static func quoted(_ text: String) -> String { "“\(word(text))”" }

  /// A word that is not ours: on one line, without control characters, and not endless.
  static func word(_ text: String) -> String {
    let line = oneLine(text)
    return line.count <= 200 ? line : line.prefix(200) + "…"
  }

  /// Without line breaks, so that a paragraph stays one.
  static func oneLine(_ text: String) -> String {
    text.split {
      $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    .joined(separator: " ")
  }
}
