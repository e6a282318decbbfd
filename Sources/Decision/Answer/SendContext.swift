/// The request that an attempt was made for.
public struct SendContext: Sendable, Equatable {
  /// How many attempts there have been, from 1, with this one.
  public let attempt: Int
  /// Until the deadline.
  public let timeLeft: Duration
  /// Whether this was the one attempt that a late request gets.
  public let isLate: Bool
  /// Whether the token had been made anew after a 401.
  public let tokenWasRenewed: Bool
  /// Whether the body said more than the three required keys.
  public let bodyHasOptionalKeys: Bool

  public init(
    attempt: Int, timeLeft: Duration, isLate: Bool = false, tokenWasRenewed: Bool = false,
    bodyHasOptionalKeys: Bool = false
  ) {
    self.attempt = attempt
    self.timeLeft = timeLeft
    self.isLate = isLate
    self.tokenWasRenewed = tokenWasRenewed
    self.bodyHasOptionalKeys = bodyHasOptionalKeys
  }
}
