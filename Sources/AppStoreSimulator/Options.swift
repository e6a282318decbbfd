/// What is wrong with the command line.
struct UsageError: Error {
  let message: String
}

/// `--name value`, `--name=value` and `--flag`.
struct Options {
  private var values: [String: [String]] = [:]

  /// - Parameter known: each option's name without dashes; true when a value follows.
  init(_ arguments: ArraySlice<String>, _ known: [String: Bool]) throws(UsageError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        throw UsageError(message: "unexpected: \(argument)")
      }
      let halves = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(halves[0])
      guard let takesValue = known[name] else {
        throw UsageError(message: "unknown option: --\(name)")
      }
      if !takesValue {
        guard halves.count == 1 else { throw UsageError(message: "--\(name) takes no value") }
        values[name] = [""]
      } else if halves.count == 2 {
        values[name, default: []].append(String(halves[1]))
      } else if let value = rest.popFirst() {
        values[name, default: []].append(value)
      } else {
        throw UsageError(message: "--\(name) needs a value")
      }
    }
  }

  /// The last one given.
  subscript(name: String) -> String? { values[name]?.last }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  func has(_ name: String) -> Bool { values[name] != nil }

  func required(_ name: String) throws(UsageError) -> String {
    guard let value = self[name] else { throw UsageError(message: "--\(name) is missing") }
    return value
  }

  /// The value as `read` understands it; nil when the option is not there.
  func value<Value>(_ name: String, _ expected: String, _ read: (String) -> Value?)
    throws(UsageError) -> Value?
  {
    guard let text = self[name] else { return nil }
    guard let value = read(text) else {
      throw UsageError(message: "--\(name) \(text): expected \(expected)")
    }
    return value
  }
}
