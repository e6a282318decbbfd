/// Why a text is refused as JSON.
struct JSONProblem: Error, Equatable {
  let message: String
}

/// Reads JSON as RFC 8259 has it; a key that stands twice in one object is refused.
struct JSONReader {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  static func read(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONProblem(message: "not UTF-8")
    }
    var reader = JSONReader(scalars: Array(text.unicodeScalars))
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.place == reader.scalars.count else { throw JSONProblem(message: "text behind it") }
    return value
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func skipSpace() {
    while let scalar = next, " \t\r\n".unicodeScalars.contains(scalar) { place += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    guard depth < 32 else { throw JSONProblem(message: "nested too deeply") }
    skipSpace()
    switch next {
    case "{": return .object(try object(depth: depth))
    case "[": return .array(try array(depth: depth))
    case "\"": return .string(try string())
    case "t": return try word("true", .bool(true))
    case "f": return try word("false", .bool(false))
    case "n": return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
    for scalar in word.unicodeScalars where !take(scalar) {
      throw JSONProblem(message: "an unknown word")
    }
    return value
  }

  private mutating func object(depth: Int) throws(JSONProblem) -> JSONObject {
    var object = JSONObject()
    place += 1
    skipSpace()
    if take("}") { return object }
    repeat {
      skipSpace()
      guard next == "\"" else { throw JSONProblem(message: "a key is missing") }
      let key = try string()
      skipSpace()
      guard take(":") else { throw JSONProblem(message: "a colon is missing") }
      guard object[key] == nil else { throw JSONProblem(message: "\(key) stands twice") }
      object[key] = try value(depth: depth + 1)
      skipSpace()
    } while take(",")
    guard take("}") else { throw JSONProblem(message: "an object does not end") }
    return object
  }

  private mutating func array(depth: Int) throws(JSONProblem) -> [JSONValue] {
    var values: [JSONValue] = []
    place += 1
    skipSpace()
    if take("]") { return values }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw JSONProblem(message: "an array does not end") }
    return values
  }

  private mutating func number() throws(JSONProblem) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = next, "+-.eE0123456789".unicodeScalars.contains(scalar) {
      text.append(scalar)
      place += 1
    }
    let number = String(text)
    let grammar = #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#
    guard number.wholeMatch(of: grammar) != nil else {
      throw JSONProblem(message: number.isEmpty ? "no value" : "not a number")
    }
    return number
  }

  private mutating func string() throws(JSONProblem) -> String {
    var text = String.UnicodeScalarView()
    place += 1
    while let scalar = next, scalar != "\"" {
      guard scalar.value >= 0x20 else { throw JSONProblem(message: "a control character") }
      place += 1
      text.append(scalar == "\\" ? try escape() : scalar)
    }
    guard take("\"") else { throw JSONProblem(message: "a string does not end") }
    return String(text)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t",
  ]

  private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
    guard let scalar = next else { throw JSONProblem(message: "a string does not end") }
    place += 1
    if let plain = Self.escapes[scalar] { return plain }
    guard scalar == "u" else { throw JSONProblem(message: "an unknown escape") }
    var code = try unit()
    if (0xd800..<0xdc00).contains(code), take("\\"), take("u") {
      let low = try unit()
      guard (0xdc00..<0xe000).contains(low) else { throw JSONProblem(message: "half a pair") }
      code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let result = Unicode.Scalar(code) else { throw JSONProblem(message: "half a pair") }
    return result
  }

  private mutating func unit() throws(JSONProblem) -> UInt32 {
    let digits = scalars[place...].prefix(4)
    place += digits.count
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
      let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw JSONProblem(message: "an unknown escape") }
    return code
  }
}
