/// An example: what is known, and what the rules should make of it.
public struct RuleTest: Sendable, Equatable {
  /// What is absent is unknown.
  public let facts: [FactName: FactValue]
  public let expected: Choice

  public init(facts: [FactName: FactValue], expected: Choice) {
    self.facts = facts
    self.expected = expected
  }
}
