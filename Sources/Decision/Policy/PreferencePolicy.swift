/// How the refund preference is found: the first rule that is true decides.
public struct PreferencePolicy: Sendable, Equatable {
  public let rules: [Rule]
  /// When no rule is true.
  public let otherwise: Choice
  /// When an unknown fact leaves a rule undecided.
  public let whenUnknown: Choice
  /// Examples that `check` holds the rules against.
  public let tests: [RuleTest]

  /// Without anything said, no preference is sent: an answer for customers nobody thought about
  /// must say nothing about them.
  public init(
    rules: [Rule] = [], otherwise: Choice = .none, whenUnknown: Choice = .none,
    tests: [RuleTest] = []
  ) {
    self.tests = tests
    self.rules = rules
    self.otherwise = otherwise
    self.whenUnknown = whenUnknown
  }

  /// What a verdict on the rules leads to.
  ///
  /// - Parameter mayReview: whether there is time for a person; without it `REVIEW` counts as
  ///   unknown.
  public func choice(for verdict: RuleVerdict, mayReview: Bool) -> Choice {
    let choice = choice(for: verdict)
    guard choice == .review, !mayReview else { return choice }
    return whenUnknown == .review ? .none : whenUnknown
  }

  private func choice(for verdict: RuleVerdict) -> Choice {
    switch verdict {
    case .matched(let index): rules[index].prefer
    case .otherwise: otherwise
    case .undecided: whenUnknown
    // A rule that fails says nothing about the customer.
    case .failed: .none
    case .overridden(let choice, _): choice
    }
  }
}
