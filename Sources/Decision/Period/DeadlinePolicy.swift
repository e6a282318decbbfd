public import AppStore

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
