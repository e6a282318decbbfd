/// Cuts SQL text into what matters for named parameters, by the lexical rules of PostgreSQL's manual
/// (section 4.1) with `standard_conforming_strings` on, which has been the default since 9.1.
struct SQLScanner {
  enum Token: Equatable {
    /// A string, quoted name, dollar quote, word, number or operator: taken over as it stands.
    case text
    /// White space or a comment.
    case blank
    /// `$name`
    case parameter(String)
    /// `$1`
    case positional(String)
    case semicolon
  }

  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text of what lies between two positions.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The next token and where it lies, or nil at the end.
  mutating func next() throws(NamedQueryError) -> (token: Token, range: Range<Int>)? {
    guard let byte = peek() else { return nil }
    let start = position
    let token: Token
    switch byte {
    case UInt8(ascii: ";"):
      position += 1
      token = .semicolon
    case UInt8(ascii: "'"):
      try skipString(escapes: false)
      token = .text
    case UInt8(ascii: "\""):
      try skipQuoted(UInt8(ascii: "\""), escapes: false, called: "a quoted name")
      token = .text
    case UInt8(ascii: "$"): token = try dollar()
    case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
      skipLineComment()
      token = .blank
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
      try skipBlockComment()
      token = .blank
    case _ where Self.isSpace(byte):
      position += 1
      token = .blank
    case _ where Self.startsName(byte):
      try skipWord()
      token = .text
    default:
      position += 1
      token = .text
    }
    return (token, start..<position)
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  /// A word; `E'…'` is a word and a string at once, in which a backslash escapes the quote.
  private mutating func skipWord() throws(NamedQueryError) {
    let first = bytes[position]
    position += 1
    if first | 0x20 == UInt8(ascii: "e"), peek() == UInt8(ascii: "'") {
      return try skipString(escapes: true)
    }
    // A dollar sign inside a word belongs to it: a$b is one name.
    while let byte = peek(), Self.continuesName(byte) || byte == UInt8(ascii: "$") { position += 1 }
  }

  /// A string, with what continues it: after white space that holds a newline a further quoted part
  /// belongs to the same string, and in an `E'…'` its backslashes escape too.
  private mutating func skipString(escapes: Bool) throws(NamedQueryError) {
    let quote = UInt8(ascii: "'")
    try skipQuoted(quote, escapes: escapes, called: "a string")
    while true {
      let end = position
      var newline = false
      while let byte = peek() {
        if Self.isSpace(byte) {
          newline = newline || byte == 0x0A || byte == 0x0D
          position += 1
        } else if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
          skipLineComment()
        } else {
          break
        }
      }
      guard newline, peek() == quote else {
        position = end
        return
      }
      try skipQuoted(quote, escapes: escapes, called: "a string")
    }
  }

  private mutating func skipQuoted(
    _ quote: UInt8, escapes: Bool, called name: String
  ) throws(NamedQueryError) {
    position += 1
    while let byte = peek() {
      if escapes, byte == UInt8(ascii: "\\") {
        position += 2
      } else if byte != quote {
        position += 1
      } else if peek(1) == quote {
        position += 2
      } else {
        position += 1
        return
      }
    }
    throw .unterminated(name)
  }

  private mutating func skipLineComment() {
    while let byte = peek(), byte != 0x0A, byte != 0x0D { position += 1 }
  }

  /// Block comments nest in PostgreSQL, unlike in C.
  private mutating func skipBlockComment() throws(NamedQueryError) {
    var depth = 0
    repeat {
      guard let byte = peek() else { throw .unterminated("a comment") }
      if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0
  }

  /// `$1`, `$name`, or a dollar quote: `$$…$$`, `$tag$…$tag$`.
  private mutating func dollar() throws(NamedQueryError) -> Token {
    let start = position
    position += 1
    if let byte = peek(), Self.isDigit(byte) {
      while let byte = peek(), Self.isDigit(byte) { position += 1 }
      return .positional(text(start..<position))
    }
    if let byte = peek(), Self.startsName(byte) {
      while let byte = peek(), Self.continuesName(byte) { position += 1 }
    }
    if peek() == UInt8(ascii: "$") {
      position += 1
      try skipDollarQuote(tag: bytes[start..<position])
      return .text
    }
    return position == start + 1 ? .text : .parameter(text(start + 1..<position))
  }

  private mutating func skipDollarQuote(tag: ArraySlice<UInt8>) throws(NamedQueryError) {
    while position + tag.count <= bytes.count {
      if bytes[position..<position + tag.count] == tag {
        position += tag.count
        return
      }
      position += 1
    }
    throw .unterminated("a dollar quote")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  private static func continuesName(_ byte: UInt8) -> Bool {
    startsName(byte) || isDigit(byte)
  }
}
