public import AppStore

/// Until when Apple takes an answer.
///
/// Twelve hours from the notification's signed date, five minutes in Sandbox (Apple's page on
/// testing refunds). Whether Apple counts from its first attempt or from the receipt is not said, so
/// the earlier of the two is kept.
public enum Deadline {
  /// How long an answer is in time.
  public static func window(_ environment: AppStore.Environment) -> Duration {
    switch environment {
    case .production: .seconds(12 * 3600)
    case .sandbox: .seconds(5 * 60)
    }
  }

  public static func deadline(signedAt: Instant, _ environment: AppStore.Environment) -> Instant {
    signedAt + window(environment)
  }

  /// How long after its signed date a request that arrives late still gets its one attempt. Older
  /// ones are `expired_on_arrival`.
  public static func lateLimit(_ environment: AppStore.Environment) -> Duration {
    switch environment {
    case .production: .seconds(24 * 3600)
    case .sandbox: .seconds(10 * 60)
    }
  }

  /// A setting made for the twelve hours of production, shrunk with Sandbox's window (5/720).
  public static func scaled(
    _ setting: Duration, _ environment: AppStore.Environment
  ) -> Duration {
    switch environment {
    case .production: setting
    case .sandbox: setting * 5 / 720
    }
  }
}
