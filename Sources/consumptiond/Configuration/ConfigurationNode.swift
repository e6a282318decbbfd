import FoundationEssentials

/// One value of the file and the path of keys to it.
struct ConfigurationNode {
  let value: JSONValue
  let path: String
  let place: ConfigurationPlace

  func error(_ problem: String) -> ConfigurationError {
    place.error(path, problem)
  }

  func error(found: String? = nil, expected: String) -> ConfigurationError {
    error("found \(found ?? value.shown), expected \(expected)")
  }

  /// A part of the design that this version does not have: refused by name instead of ignored.
  func notBuiltYet(_ what: String? = nil) -> ConfigurationError {
    error("not built yet" + (what.map { ": \($0)" } ?? ""))
  }

  func bool() throws(ConfigurationError) -> Bool {
    guard case .bool(let value) = value else { throw error(expected: "true or false") }
    return value
  }

  /// A whole number.
  func integer(in range: ClosedRange<Int64>) throws(ConfigurationError) -> Int64 {
    guard case .number(let number) = value, let integer = Int64(number.description),
      range.contains(integer)
    else {
      let limits =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw error(expected: "a whole number \(limits)")
    }
    return integer
  }

  /// The members of a list, of which there must be one at least.
  func list(of what: String) throws(ConfigurationError) -> [ConfigurationNode] {
    guard case .list(let values) = value else { throw error(expected: "a list of \(what)") }
    guard !values.isEmpty else {
      throw error(found: "an empty list", expected: "a list of \(what)")
    }
    return values.enumerated().map { index, value in
      ConfigurationNode(value: value, path: "\(path)[\(index)]", place: place)
    }
  }

  /// An object and nothing in it that is not known.
  func object(
    _ known: [String], notBuiltYet: [String] = []
  ) throws(ConfigurationError) -> ConfigurationObject {
    guard case .object(let members) = value else {
      throw error(expected: "an object with " + known.joined(separator: ", "))
    }
    let object = ConfigurationObject(node: self, members: members)
    for key in members.keys.sorted() where !known.contains(key) {
      let node = object.member(key, .null)
      guard notBuiltYet.contains(key) else {
        throw node.error(
          found: "an unknown key", expected: "one of " + known.joined(separator: ", "))
      }
      throw node.notBuiltYet()
    }
    return object
  }

  /// A string, or `{ env: "NAME" }` or `{ file: "PATH" }` in its place.
  func text(_ expected: String = "a string") throws(ConfigurationError) -> ConfigurationText {
    switch value {
    case .string(let text):
      guard !text.isEmpty else { throw error(expected: expected) }
      return ConfigurationText(value: text, shown: value.shown)
    case .object(let members) where members.keys.contains("env") || members.keys.contains("file"):
      return try reference(members, expected)
    default: throw error(expected: expected)
    }
  }

  private func reference(
    _ members: [String: JSONValue], _ expected: String
  ) throws(ConfigurationError) -> ConfigurationText {
    let object = try object(["env", "file"])
    guard members.count == 1 else { throw error(expected: "either env or file") }
    let text: String
    let shown: String
    if let variable = object.optional("env") {
      let name = try variable.plainString("the name of an environment variable")
      text = try place.variable(name, at: variable.path)
      shown = "what the environment variable \(name) holds"
    } else {
      let file = try object.required("file", "the path of a file")
      let written = try file.plainString("the path of a file")
      let bytes = try place.contents(of: written, at: file.path)
      guard let content = String(validating: bytes, as: UTF8.self) else {
        throw file.error("found bytes that are not UTF-8 in \(written), expected text")
      }
      // Editors and `echo` end a file with a newline that is no part of the secret.
      text = String(content.trimmingSuffix(while: \.isNewline))
      shown = "what the file \(written) holds"
    }
    guard !text.isEmpty else { throw error(found: "nothing in \(shown)", expected: expected) }
    return ConfigurationText(value: text, shown: shown)
  }

  private func plainString(_ expected: String) throws(ConfigurationError) -> String {
    guard case .string(let text) = value, !text.isEmpty else { throw error(expected: expected) }
    return text
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while belongs: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, belongs(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
