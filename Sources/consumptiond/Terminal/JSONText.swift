/// JSON that is written with its keys in the order given; numbers are whole or somebody else's text.
indirect enum JSONText {
  case null
  case bool(Bool)
  case int(Int64)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])
  /// JSON already, from PostgreSQL or from a signed payload.
  case raw(String)

  static func optional(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }
  static func optional(_ number: Int64?) -> JSONText { number.map(JSONText.int) ?? .null }

  /// On one line, without a character that would steer a terminal.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let number): "\(number)"
    case .string(let text): Printable.json(Self.quoted(text))
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0) + ":" + $1.text }.joined(separator: ",") + "}"
    case .raw(let text): Printable.json(text)
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
