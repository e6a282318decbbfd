/// A JSON value that keeps what the document said.
///
/// Foundation's decoder is not used on what strangers send, for three reasons that were measured:
/// a property of type `Int64` makes it call the whole document invalid when a number has a
/// fraction; a duplicate key passes without a word, so two readers may see two documents; and a
/// recursive value decoded from deep nesting overruns the small stack of a dispatch thread.
/// Numbers stay text until somebody asks for a type, so that none is rounded on the way.
public enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// - Throws: where the text is not JSON, see ``JSONParser``.
  public init(_ text: String) throws(JSONError) {
    self = try JSONParser.parse(Array(text.utf8))
  }

  /// The member of an object. Absent and null are the same: no value.
  public subscript(key: String) -> JSON? {
    guard case .object(let members) = self, let value = members[key], value != .null else {
      return nil
    }
    return value
  }

  var isObject: Bool {
    if case .object = self { true } else { false }
  }

  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  public var array: [JSON]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// A whole number in range; a fraction, an exponent or a string is none.
  public var int64: Int64? {
    if case .number(let text) = self { Int64(text) } else { nil }
  }

  public var int: Int? {
    int64.flatMap { Int(exactly: $0) }
  }

  /// Apple's dates: milliseconds since 1970, which have come with a fraction. Nil outside of the
  /// years 1970 to 9999.
  public var instant: Instant? {
    guard case .number(let text) = self else { return nil }
    let latest: Int64 = 253_402_300_799_999
    if let milliseconds = Int64(text) {
      return (0...latest).contains(milliseconds) ? Instant(milliseconds: milliseconds) : nil
    }
    // At today's magnitude a double still tells a quarter of a microsecond.
    guard let milliseconds = Double(text), milliseconds >= 0, milliseconds <= Double(latest)
    else { return nil }
    return Instant(microseconds: Int64((milliseconds * 1000).rounded()))
  }

  /// Text as a JSON string, quotes included.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<"\u{20}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
