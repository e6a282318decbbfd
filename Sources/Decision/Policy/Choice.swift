/// What a rule prefers, in the configuration's words.
public enum Choice: String, Sendable, Hashable, CaseIterable {
  /// Tell Apple that we would rather not see the money refunded.
  case decline = "DECLINE"
  case grantFull = "GRANT_FULL"
  case grantProrated = "GRANT_PRORATED"
  /// Answer without a preference.
  case none = "NONE"
  /// Send nothing at all.
  case noAnswer = "NO_ANSWER"

  /// Words of the configuration that this version refuses: `REVIEW` would leave the choice to a
  /// person.
  public static let notBuiltYet = ["REVIEW"]
}
