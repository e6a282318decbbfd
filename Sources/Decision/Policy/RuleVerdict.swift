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
  /// A person said so; the rules were not asked.
  case overridden(Choice, by: String)
}
