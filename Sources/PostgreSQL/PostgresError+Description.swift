extension PostgresError: CustomStringConvertible {
  /// One line for a log: code, message, constraint. Values are left out.
  public var description: String {
    var text = sqlState.map { "SQLSTATE \($0)" } ?? kind.rawValue
    if let message = messageWithoutValues {
      text += ": \(message)"
    }
    if let constraint {
      text += " (constraint \(constraint))"
    }
    if outcomeIsUnknown {
      text += " (outcome unknown)"
    }
    return text
  }

  /// The message as far as it cannot quote data.
  ///
  /// Class 22 (data exceptions) quotes the value that it refuses; class P0 is raised by functions of
  /// anybody's, who may write what they like. All other classes name objects and syntax.
  private var messageWithoutValues: String? {
    guard let sqlState else { return message }
    if sqlState.hasPrefix("P0") { return nil }
    guard sqlState.hasPrefix("22") else { return message }
    // A translated message has quotes of its own.
    guard message.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\""),
      first < last
    else { return message.contains("\"") ? nil : message }
    return message[..<first] + "\"…\"" + message[message.index(after: last)...]
  }
}
