import FoundationEssentials

/// What a document says, before anybody knows what it means. Numbers are decimal, so that 0.0004
/// stays what was written.
enum JSONValue: Sendable, Equatable, Decodable {
  case null
  case bool(Bool)
  case number(Decimal)
  case string(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Decimal.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Nil when the text is not JSON.
  init?(text: String) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
      return nil
    }
    self = value
  }

  /// The member of an object. Absent and null are the same: no value.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[key], value != .null else {
      return nil
    }
    return value
  }

  var list: [JSONValue]? {
    if case .list(let values) = self { values } else { nil }
  }

  /// For "found …".
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let text): "\"\(text)\""
    case .list: "a list"
    case .object: "an object"
    }
  }
}
