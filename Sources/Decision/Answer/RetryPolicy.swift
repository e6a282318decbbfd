/// How long to wait before the next attempt. There is no number of attempts: they end with the time.
public struct RetryPolicy: Sendable, Equatable {
  /// The longest first delay; it doubles with each attempt.
  public let base: Duration
  /// No delay is longer, however much time is left.
  public let cap: Duration

  /// A shorter delay would only hammer a server that is down.
  public static let shortest: Duration = .seconds(1)

  public init(base: Duration = .seconds(1), cap: Duration = .seconds(15 * 60)) {
    self.base = base
    self.cap = cap
  }

  /// Exponential with full jitter, capped by a quarter of the time left, so that several attempts
  /// always fit before the deadline.
  ///
  /// - Parameters:
  ///   - attempt: how many attempts there have been, from 1.
  ///   - timeLeft: until the deadline.
  ///   - random: from 0 up to 1.
  public func delay(attempt: Int, timeLeft: Duration, random: Double) -> Duration {
    // 2^20 s are twelve days: no need to double on, and nothing overflows.
    let doubled = base * (1 << min(max(attempt - 1, 0), 20))
    let longest = min(doubled, cap, timeLeft / 4)
    return max(longest * random, Self.shortest)
  }

  /// How long to wait when Apple named a time (`Retry-After`): as long as it says, at least a second,
  /// and never past the deadline, before which one more attempt is worth making in any case.
  public func delay(retryAfter: Duration, timeLeft: Duration) -> Duration {
    let margin = min(.seconds(60), timeLeft / 4)
    return max(min(retryAfter, timeLeft - margin), Self.shortest)
  }
}
