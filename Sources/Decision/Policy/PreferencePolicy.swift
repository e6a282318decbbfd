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

/// How the refund preference is found: the first rule that is true decides.
public struct PreferencePolicy: Sendable, Equatable {
  public let rules: [Rule]
  /// When no rule is true.
  public let otherwise: Choice
  /// When an unknown fact leaves a rule undecided.
  public let whenUnknown: Choice

  /// Without anything said, no preference is sent: an answer for customers nobody thought about
  /// must say nothing about them.
  public init(rules: [Rule] = [], otherwise: Choice = .none, whenUnknown: Choice = .none) {
    self.rules = rules
    self.otherwise = otherwise
    self.whenUnknown = whenUnknown
  }

  /// What a verdict on the rules leads to.
  public func choice(for verdict: RuleVerdict) -> Choice {
    switch verdict {
    case .matched(let index): rules[index].prefer
    case .otherwise: otherwise
    case .undecided: whenUnknown
    // A rule that fails says nothing about the customer.
    case .failed: .none
    }
  }
}

/// What PostgreSQL said about the rules. Indexes count from 0.
public enum RuleVerdict: Sendable, Equatable {
  /// The rule of this index is the first that is true.
  case matched(Int)
  /// None is true.
  case otherwise
  /// The rule of this index could not be decided: a fact it uses is unknown. Later rules were not
  /// looked at.
  case undecided(Int)
  /// The evaluation failed (a division by zero, say): `rule_error`.
  case failed(message: String)
}
