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

/// When decisions are due and people are told.
public struct DeadlinePolicy: Sendable, Equatable {
  /// So long before the deadline the decision is made with what is known.
  public let decideBy: Duration
  /// People hear of an open request when so much time is left.
  public let alertWhenLeft: [Duration]

  public init(
    decideBy: Duration = .seconds(30 * 60),
    alertWhenLeft: [Duration] = [.seconds(6 * 3600), .seconds(2 * 3600), .seconds(45 * 60)]
  ) {
    self.decideBy = decideBy
    self.alertWhenLeft = alertWhenLeft
  }

  /// When a decision is made with what is known.
  public func decideAt(signedAt: Instant, _ environment: AppStore.Environment) -> Instant {
    Deadline.deadline(signedAt: signedAt, environment)
      - Deadline.scaled(decideBy, environment)
  }

  /// When people are told of a request that is still open, earliest first.
  public func alertsAt(signedAt: Instant, _ environment: AppStore.Environment) -> [Instant] {
    let deadline = Deadline.deadline(signedAt: signedAt, environment)
    return alertWhenLeft.map { deadline - Deadline.scaled($0, environment) }.sorted()
  }
}
