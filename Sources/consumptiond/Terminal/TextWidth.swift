/// How many columns of a terminal a text takes.
enum TextWidth {
  static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// At most `columns` wide, with an ellipsis where something is missing.
  static func cut(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    var result = ""
    var used = 0
    for character in text {
      let width = width(character)
      guard used + width <= columns - 1 else { break }
      result.append(character)
      used += width
    }
    return result + "…"
  }

  /// Lines of at most `columns`, broken between words; a longer word is broken inside.
  static func wrapped(_ text: String, to columns: Int?) -> [String] {
    guard let columns else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      for piece in pieces(word, of: columns) {
        if line.isEmpty {
          line = piece
        } else if of(line) + 1 + of(piece) <= columns {
          line += " " + piece
        } else {
          lines.append(line)
          line = piece
        }
      }
    }
    return lines + (line.isEmpty ? [] : [line])
  }

  private static func pieces(_ word: Substring, of columns: Int) -> [String] {
    var pieces = [""]
    var used = 0
    for character in word {
      let width = width(character)
      if used + width > columns {
        pieces.append("")
        used = 0
      }
      pieces[pieces.count - 1].append(character)
      used += width
    }
    return pieces
  }

  /// Two columns for East Asian wide characters and emoji, as terminals draw them.
  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }
}
