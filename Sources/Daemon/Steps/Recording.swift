internal import AppStore
internal import Decision
internal import HTTP
internal import Store

/// Turns what came of an attempt into what is written down.
struct Recording {
  let dispatch: Dispatch
  /// Whether the token of the attempt had been made anew after a 401.
  let tokenWasRenewed: Bool

  /// - Parameters:
  ///   - now: the host's clock, by which `Retry-After` is measured.
  ///   - random: from 0 up to 1.
  func record(
    _ result: Result<HTTPResponse, HTTPError>, now: Instant, random: Double
  ) -> Attempts.Record {
    let outcome = Self.outcome(result, now: now)
    let step = NextStep.after(
      outcome,
      SendContext(
        attempt: dispatch.attempt.number, timeLeft: dispatch.deadline - ContinuousClock.now,
        isLate: dispatch.attempt.isLate, tokenWasRenewed: tokenWasRenewed,
        bodyHasOptionalKeys: dispatch.body.hasOptionals),
      now: now, random: random)
    let judgement: Judgement? =
      if case .answered(let judgement) = outcome { judgement } else { nil }
    let status: Int? = if case .success(let response) = result { response.status } else { nil }
    let error: String? = if case .failure(let error) = result { error.description } else { nil }
    let ending = Self.ending(step, outcome)
    return Attempts.Record(
      attempt: dispatch.attempt.id, request: dispatch.work.id,
      transaction: dispatch.work.transactionId,
      environment: dispatch.work.environment, token: dispatch.work.token,
      result: Self.word(outcome), httpStatus: status, appleCode: judgement?.appleCode,
      appleMessage: judgement?.appleMessage, error: error, ending: ending,
      lastError: ending == .answered ? nil : Self.trouble(status, judgement, error),
      degrade: step == .requiredKeysOnly)
  }

  /// The daemon stops: what was sent may arrive, so nothing is concluded.
  func interrupted() -> Attempts.Record {
    Attempts.Record(
      attempt: dispatch.attempt.id, request: dispatch.work.id,
      transaction: dispatch.work.transactionId,
      environment: dispatch.work.environment, token: dispatch.work.token, result: "unknown",
      httpStatus: nil, appleCode: nil, appleMessage: nil,
      error: "the daemon stopped before Apple answered", ending: .inFlight, lastError: nil,
      degrade: false)
  }

  /// The attempt was recorded and never went out: it is taken back.
  func unsent(_ why: String) -> Attempts.Record {
    Attempts.Record(
      attempt: dispatch.attempt.id, request: dispatch.work.id,
      transaction: dispatch.work.transactionId,
      environment: dispatch.work.environment, token: dispatch.work.token, result: nil,
      httpStatus: nil, appleCode: nil, appleMessage: nil, error: nil,
      ending: .waiting(reason: "retry", delay: .zero), lastError: "not sent: \(why)",
      degrade: false)
  }

  static func outcome(
    _ result: Result<HTTPResponse, HTTPError>, now: Instant
  ) -> SendOutcome {
    switch result {
    case .success(let response):
      .answered(
        Judgement.sendConsumption(
          Answer(
            status: response.status, retryAfter: response.headers["retry-after"],
            date: response.headers["date"], body: response.body), now: now))
    case .failure(let error): error.mayHaveBeenSent ? .maybeSent : .notSent
    }
  }

  private static func word(_ outcome: SendOutcome) -> String {
    switch outcome {
    case .answered(let judgement): judgement.result.rawValue
    case .notSent: "retry"
    case .maybeSent: "unknown"
    }
  }

  static func ending(_ step: NextStep, _ outcome: SendOutcome) -> Ending {
    switch step {
    case .accepted: return .answered
    case .failed(let reason): return .failed(reason: reason)
    case .missed(let reason): return .missed(reason: reason)
    case .retry(let delay):
      // A token that Apple rejects again is the daemon's trouble, as a closed gate is.
      if case .answered(let judgement) = outcome, judgement.result == .unauthorized {
        return .waiting(reason: "gate", delay: delay)
      }
      return .waiting(reason: "retry", delay: delay)
    case .limited(let delay): return .waiting(reason: "gate", delay: delay)
    case .freshToken, .requiredKeysOnly: return .waiting(reason: "retry", delay: .zero)
    }
  }

  /// One line for `last_error`: `HTTP 400, code 4000006: Invalid transaction id.`
  private static func trouble(_ status: Int?, _ judgement: Judgement?, _ error: String?) -> String?
  {
    if let error { return error }
    guard let status else { return nil }
    var line = "HTTP \(status)"
    if let code = judgement?.appleCode { line += ", code \(code)" }
    if let message = judgement?.appleMessage, !message.isEmpty { line += ": \(message)" }
    return line
  }
}
