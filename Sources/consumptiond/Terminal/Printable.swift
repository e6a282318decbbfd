import AppStore

/// Foreign text made fit for a terminal.
enum Printable {
  /// On one line, with control characters and those that turn the direction of writing escaped: a
  /// product's name or an error of Apple's must not steer the terminal of whoever reads it. What
  /// looks like a token or a signed payload is left out.
  static func text(_ text: String) -> String {
    PlainText.excerpt(text, limit: 4000)
  }

  /// JSON text with the characters that a JSON document may hold raw and a terminal acts on written
  /// as `\u` escapes: the same document, not a digit changed.
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          let padding = String(repeating: "0", count: 4 - digits.count)
          result.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
        }
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar.value > 0x20
    case .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
