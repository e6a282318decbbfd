import AppStore
import Decision
import Testing

@Suite("Retries") struct RetryTests {
  private let now = Samples.signedAt

  @Test(
    "full jitter, doubling, capped by 15 minutes and a quarter of the time left",
    arguments: [
      (1, 43_200, 0.0, 1.0), (1, 43_200, 0.999, 1.0), (2, 43_200, 0.75, 1.5),
      (5, 43_200, 0.5, 8.0), (5, 43_200, 0.0, 1.0), (11, 43_200, 0.5, 450.0),
      (60, 43_200, 0.5, 450.0), (1000, 43_200, 0.5, 450.0),
      (11, 400, 0.5, 50.0), (11, 8, 0.5, 1.0), (11, 0, 0.9, 1.0), (11, -60, 0.9, 1.0),
      (0, 43_200, 0.5, 1.0),
    ] as [(Int, Int, Double, Double)])
  func delay(attempt: Int, timeLeft: Int, random: Double, seconds: Double) {
    let delay = RetryPolicy().delay(
      attempt: attempt, timeLeft: .seconds(timeLeft), random: random)
    #expect(delay == .milliseconds(Int(seconds * 1000)))
  }

  @Test("A-34: several attempts always fit before the deadline", arguments: [300, 43_200])
  func attemptsFit(window: Int) {
    var left: Duration = .seconds(window)
    var attempt = 0
    while left > .seconds(4) {
      attempt += 1
      left -= RetryPolicy().delay(attempt: attempt, timeLeft: left, random: 0.999_999)
    }
    #expect(left > .zero)
    #expect(attempt >= 10)
  }

  @Test(
    "A-35: Retry-After is kept between a second and a moment before the deadline",
    arguments: [
      (120, 43_200, 120), (0, 43_200, 1), (-5, 43_200, 1), (50_000, 43_200, 43_140),
      (43_199, 43_200, 43_140), (500, 100, 75), (10, 2, 2), (10, 0, 1), (10, -9, 1),
    ] as [(Int, Int, Int)])
  func retryAfter(after: Int, timeLeft: Int, seconds: Int) {
    let delay = RetryPolicy().delay(retryAfter: .seconds(after), timeLeft: .seconds(timeLeft))
    #expect(delay >= .seconds(1))
    #expect(timeLeft < 2 || delay < .seconds(timeLeft))
    #expect(seconds == 2 ? delay == .milliseconds(1500) : delay == .seconds(seconds))
  }

  struct Step: Sendable {
    let outcome: SendOutcome
    var late = false
    var renewed = false
    var optional = false
    let next: NextStep
  }

  private static func said(
    _ result: Judgement.Result, code: Int64? = nil, retryAt: RetryAfter? = nil,
    optional: Bool = false
  ) -> SendOutcome {
    .answered(
      Judgement(
        result: result, appleCode: code, retryAt: retryAt, mayRetryWithoutOptionals: optional))
  }

  /// Third attempt, half of the random range: 2 s.
  private static let backoff: Duration = .seconds(2)

  @Test(
    "what follows from what",
    arguments: [
      Step(outcome: said(.accepted), next: .accepted),
      Step(outcome: said(.accepted), late: true, next: .accepted),
      Step(outcome: said(.refused, code: 4_000_047), next: .failed(reason: "apple_4000047")),
      Step(outcome: said(.refused), next: .failed(reason: "apple_refused")),
      Step(
        outcome: said(.refused, code: 4_000_209, optional: true), optional: true,
        next: .requiredKeysOnly),
      Step(
        outcome: said(.refused, code: 4_000_209, optional: true),
        next: .failed(reason: "apple_4000209")),
      Step(
        outcome: said(.refused, code: 4_000_035), optional: true,
        next: .failed(reason: "apple_4000035")),
      Step(outcome: said(.retry), next: .retry(after: backoff)),
      Step(outcome: said(.unknown), next: .retry(after: backoff)),
      Step(outcome: .notSent, next: .retry(after: backoff)),
      Step(outcome: .maybeSent, next: .retry(after: backoff)),
      Step(outcome: said(.unauthorized), next: .freshToken),
      Step(outcome: said(.unauthorized), renewed: true, next: .retry(after: backoff)),
      Step(outcome: said(.limited), next: .limited(after: backoff)),
      Step(
        outcome: said(
          .limited, retryAt: RetryAfter(instant: Samples.signedAt + .seconds(90))),
        next: .limited(after: .seconds(90))),
      // One that has passed is no hurry.
      Step(
        outcome: said(
          .limited, retryAt: RetryAfter(instant: Samples.signedAt - .seconds(90))),
        next: .limited(after: backoff)),
      Step(
        outcome: said(
          .limited, retryAt: RetryAfter(instant: Samples.signedAt + .seconds(90_000))),
        next: .limited(after: .seconds(3540))),
      // The one attempt after the deadline.
      Step(
        outcome: said(.refused, code: 4_040_010), late: true,
        next: .missed(reason: "apple_4040010")),
      Step(outcome: said(.unauthorized), late: true, next: .missed(reason: "unauthorized")),
      Step(outcome: said(.limited), late: true, next: .missed(reason: "rate_limited")),
      Step(outcome: said(.retry), late: true, next: .missed(reason: "apple_unreachable")),
      Step(outcome: said(.unknown), late: true, next: .missed(reason: "outcome_unknown")),
      Step(outcome: .notSent, late: true, next: .missed(reason: "apple_unreachable")),
      Step(outcome: .maybeSent, late: true, next: .missed(reason: "outcome_unknown")),
    ])
  func next(_ step: Step) {
    let context = SendContext(
      attempt: 3, timeLeft: .seconds(3600), isLate: step.late, tokenWasRenewed: step.renewed,
      bodyHasOptionalKeys: step.optional)
    #expect(NextStep.after(step.outcome, context, now: now, random: 0.5) == step.next)
  }

  @Test("C-10: an attempt that ends after the deadline is no end of the request") func overran() {
    let context = SendContext(attempt: 1, timeLeft: .seconds(-3))
    #expect(
      NextStep.after(.notSent, context, now: now, random: 0.9) == .retry(after: .seconds(1)))
  }
}
