/// A JSON value whose objects keep the order of their members: what is signed here reads like
/// what Apple signs, and what the daemon sent is judged as it was written.
///
/// Written apart from the daemon's own JSON on purpose: a stand-in that shares the parser of what
/// it judges shares its mistakes.
public indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// As it was written: 1, 1.0 and 1e0 are three texts.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  public var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let object): object.text
    }
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result += "\\"
        result.unicodeScalars.append(scalar)
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// An object's members in their order.
public struct JSONObject: Sendable, Equatable {
  public struct Member: Sendable, Equatable {
    public let key: String
    public let value: JSONValue
  }

  public private(set) var members: [Member] = []

  public init() {}

  /// Setting replaces in place or appends; nil removes.
  public subscript(key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): members[place] = Member(key: key, value: value)
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  public var keys: [String] { members.map(\.key) }

  public var text: String {
    "{" + members.map { JSONValue.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",")
      + "}"
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue?)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .number(String(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue?)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}

extension JSONValue {
  /// - Returns: nil when `text` is not JSON.
  public init?(text: String) {
    guard let value = try? JSONReader.read(Array(text.utf8)) else { return nil }
    self = value
  }

  public init(_ value: Int64) { self = .number(String(value)) }

  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// Only what is written as a whole number: no fraction, no exponent, no string.
  public var integer: Int64? {
    if case .number(let text) = self { Int64(text) } else { nil }
  }

  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
}
