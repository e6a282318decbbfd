/// A rule: a boolean SQL expression over the facts, and what it leads to when it is true.
public struct Rule: Sendable, Equatable {
  public let name: String
  /// SQL, validated and evaluated by PostgreSQL.
  public let when: String
  public let prefer: Choice

  public init(name: String, when: String, prefer: Choice) {
    self.name = name
    self.when = when
    self.prefer = prefer
  }

  /// Whether the expression holds this word, in any case, wherever it stands.
  ///
  /// Good enough to refuse early what this version cannot know; what a rule really uses is
  /// PostgreSQL's to say.
  public func mentions(_ fact: FactName) -> Bool {
    when.lowercased()
      .split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
      .contains { $0 == fact.rawValue }
  }
}
