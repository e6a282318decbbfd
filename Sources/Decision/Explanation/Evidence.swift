public import AppStore

/// Everything that a request's explanation is made from. What is nil had not been reached or was not
/// known, and is not spoken of.
public struct Evidence: Sendable, Equatable {
  public var transaction: Transaction
  /// `consumptionRequestReason`, verbatim.
  public var reason: String?
  /// The notification's.
  public var signedAt: Instant
  public var position: PeriodPosition
  public var consent: ConsentEvidence?
  public var usage: UsageEvidence?
  public var decision: DecisionEvidence?

  public init(
    transaction: Transaction, reason: String?, signedAt: Instant, position: PeriodPosition,
    consent: ConsentEvidence? = nil, usage: UsageEvidence? = nil,
    decision: DecisionEvidence? = nil
  ) {
    self.transaction = transaction
    self.reason = reason
    self.signedAt = signedAt
    self.position = position
    self.consent = consent
    self.usage = usage
    self.decision = decision
  }
}

/// The consent that was found, as far as its query tells.
public struct ConsentEvidence: Sendable, Equatable {
  public var givenAt: Instant?
  public var source: String?
  /// Of the wording that the customer agreed to.
  public var version: String?

  public init(givenAt: Instant? = nil, source: String? = nil, version: String? = nil) {
    self.givenAt = givenAt
    self.source = source
    self.version = version
  }
}

/// What was looked up in the usage tables.
public struct UsageEvidence: Sendable, Equatable {
  /// Nil when the period did not tell in which time usage counts.
  public var window: UsageWindow?
  /// ISO 4217.
  public var currency: String
  public var sources: [SourceUsage]

  public init(window: UsageWindow?, currency: String, sources: [SourceUsage]) {
    self.window = window
    self.currency = currency
    self.sources = sources
  }
}

/// How the rules were judged and what came of it.
public struct DecisionEvidence: Sendable, Equatable {
  public var policy: ResponsePolicy
  /// For each rule, which facts it uses (`pg_depend` knows).
  public var usedFacts: [[FactName]]
  /// As the rules saw them, with what PostgreSQL computed.
  public var facts: [FactName: FactValue]
  public var verdict: RuleVerdict
  /// Whether `REVIEW` found no person before the time was over.
  public var wasLeftUndecided: Bool
  /// Nil when the choice was to send nothing.
  public var answer: ComposedAnswer?

  public init(
    policy: ResponsePolicy, usedFacts: [[FactName]], facts: [FactName: FactValue],
    verdict: RuleVerdict, wasLeftUndecided: Bool = false, answer: ComposedAnswer?
  ) {
    self.policy = policy
    self.usedFacts = usedFacts
    self.facts = facts
    self.verdict = verdict
    self.wasLeftUndecided = wasLeftUndecided
    self.answer = answer
  }
}
