public import AppStore

/// What happens to a request after an attempt.
public enum NextStep: Sendable, Equatable {
  /// Apple's 202.
  case accepted
  /// Apple refused it for good: `failed` with this `state_reason`.
  case failed(reason: String)
  /// `waiting` for so long, then the same bytes again.
  case retry(after: Duration)
  /// Too many requests: this app's requests in this environment wait so long.
  case limited(after: Duration)
  /// The same bytes at once, with a token made anew.
  case freshToken
  /// Once more with the three required keys alone; its 202 is `degraded`.
  case requiredKeysOnly
  /// The one attempt after the deadline failed too: `missed` with this `state_reason`.
  case missed(reason: String)

  /// The table of what follows from what.
  ///
  /// - Parameters:
  ///   - now: by which `Retry-After` is measured.
  ///   - random: from 0 up to 1.
  public static func after(
    _ outcome: SendOutcome, _ context: SendContext, policy: RetryPolicy = RetryPolicy(),
    now: Instant, random: Double
  ) -> NextStep {
    if case .answered(let judgement) = outcome, judgement.result == .accepted { return .accepted }
    if context.isLate { return .missed(reason: missedReason(outcome)) }
    let backoff = policy.delay(
      attempt: context.attempt, timeLeft: context.timeLeft, random: random)
    guard case .answered(let judgement) = outcome else { return .retry(after: backoff) }
    switch judgement.result {
    case .accepted: return .accepted
    case .refused:
      return context.bodyHasOptionalKeys && judgement.mayRetryWithoutOptionals
        ? .requiredKeysOnly : .failed(reason: refusedReason(judgement))
    case .unauthorized:
      // The daemon's fault and not the request's: it keeps its place.
      return context.tokenWasRenewed ? .retry(after: backoff) : .freshToken
    case .limited:
      guard let retryAt = judgement.retryAt else { return .limited(after: backoff) }
      // A moment that has passed already, or a clock ahead of Apple's, must not mean "at once".
      return .limited(
        after: max(
          backoff,
          policy.delay(retryAfter: retryAt.instant - now, timeLeft: context.timeLeft)))
    case .retry, .unknown: return .retry(after: backoff)
    }
  }

  private static func refusedReason(_ judgement: Judgement) -> String {
    judgement.appleCode.map { "apple_\($0)" } ?? "apple_refused"
  }

  private static func missedReason(_ outcome: SendOutcome) -> String {
    switch outcome {
    case .notSent: "apple_unreachable"
    case .maybeSent: "outcome_unknown"
    case .answered(let judgement):
      switch judgement.result {
      case .accepted, .unknown: "outcome_unknown"
      case .refused: refusedReason(judgement)
      case .unauthorized: "unauthorized"
      case .limited: "rate_limited"
      case .retry: "apple_unreachable"
      }
    }
  }
}
