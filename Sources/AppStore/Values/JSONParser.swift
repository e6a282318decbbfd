/// Why a text is not JSON. Holds a position and never the text.
public struct JSONError: Error, Equatable {
  public let message: String
  /// In bytes from the beginning.
  public let offset: Int
}

/// RFC 8259, strictly, with these choices where the RFC leaves one:
///
/// - A byte order mark is an error.
/// - A duplicate key is an error: whoever reads the other one sees another document.
/// - Nesting deeper than 64 is an error; Apple's payloads use six levels.
/// - U+0000 in a string is an error: PostgreSQL's text cannot hold it.
/// - A lone surrogate and invalid UTF-8 are errors.
/// - A number of any size is kept as its text.
struct JSONParser {
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    var parser = JSONParser(bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("text after the end") }
    return value
  }

  private func error(_ message: String) -> JSONError {
    JSONError(message: message, offset: position)
  }

  private var next: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONError) -> JSON {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("the text ends too early")
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      return .number(try number())
    default: throw error("unexpected character")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    guard depth < Self.maximumDepth else { throw error("nested too deeply") }
    depth += 1
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSON {
    var members: [String: JSON] = [:]
    skipSpace()
    if skip("}") { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a key") }
      let key = try string()
      skipSpace()
      guard skip(":") else { throw error("expected a colon") }
      guard members.updateValue(try value(), forKey: key) == nil else {
        throw error("a key stands twice")
      }
      skipSpace()
    } while skip(",")
    guard skip("}") else { throw error("expected a comma or the end of an object") }
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSON {
    var values: [JSON] = []
    skipSpace()
    if skip("]") { return .array(values) }
    repeat {
      values.append(try value())
      skipSpace()
    } while skip(",")
    guard skip("]") else { throw error("expected a comma or the end of an array") }
    return .array(values)
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw error("unexpected character") }
    position += word.utf8.count
    return value
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONError) -> String {
    let start = position
    _ = skip("-")
    let leadingZero = next == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || (count > 1 && !leadingZero) else { throw error("not a number") }
    if skip(".") {
      guard digits() > 0 else { throw error("not a number") }
    }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      guard digits() > 0 else { throw error("not a number") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    var content = Array(bytes[start..<position])
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: String(Character(try escape())).utf8)
      } else {
        content.append(byte)
      }
    }
    guard skip("\"") else { throw error("the text ends too early") }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error("a string is not UTF-8")
    }
    return text
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw error("the text ends too early") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    var code = try codeUnit()
    if (0xD800..<0xDC00).contains(code), skip("\\"), skip("u") {
      let low = try codeUnit()
      guard (0xDC00..<0xE000).contains(low) else { throw error("a lone surrogate") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("a lone surrogate") }
    guard scalar != "\u{0}" else { throw error("U+0000 in a string") }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("not four hexadecimal digits")
      }
      position += 1
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}
