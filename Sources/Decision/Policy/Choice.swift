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
  /// Leave it to a person; without one in time it counts as unknown.
  case review = "REVIEW"
}
