/// The members of a JSON object as names and values for people, nested ones by their path.
enum JSONFields {
  /// Sorted by name; numbers are exact to 38 digits.
  static func list(_ json: JSONValue, prefix: String = "") -> [(name: String, value: String)] {
    guard case .object(let members) = json else { return [(prefix, text(json))] }
    return members.sorted { $0.key < $1.key }.flatMap { key, value in
      let name = prefix.isEmpty ? key : "\(prefix).\(key)"
      if case .object(let inner) = value, !inner.isEmpty { return list(value, prefix: name) }
      return [(name, text(value))]
    }
  }

  /// A scalar as it is, anything else as JSON.
  static func text(_ json: JSONValue) -> String {
    switch json {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): "\(number)"
    case .string(let text): text
    case .list, .object: compact(json)
    }
  }

  private static func compact(_ json: JSONValue) -> String {
    switch json {
    case .list(let values): "[" + values.map(compact).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(JSONText.string($0).text): \(compact($1))" }
        .joined(separator: ", ") + "}"
    case .string(let text): JSONText.string(text).text
    case .null, .bool, .number: text(json)
    }
  }
}
