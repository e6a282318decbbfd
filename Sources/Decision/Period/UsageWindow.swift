public import AppStore

/// The part of a billing period in which usage counts: `start` up to, not including, `until`.
public struct UsageWindow: Sendable, Hashable {
  public let start: Instant
  public let until: Instant

  /// Nil when nothing lies between the start and the earliest end: usage is unknown then, since a
  /// sum over nothing would be a false 0.
  ///
  /// - Parameters:
  ///   - laterTransaction: the purchase date of a known later transaction of the same subscription:
  ///     usage after it belongs to that one.
  ///   - revokedAt: when the transaction was revoked.
  ///   - now: usage after it has not happened yet.
  public init?(
    _ period: BillingPeriod, laterTransaction: Instant?, revokedAt: Instant?, now: Instant
  ) {
    let until = [period.end, laterTransaction, revokedAt].compactMap(\.self).reduce(now, min)
    guard period.start < until else { return nil }
    start = period.start
    self.until = until
  }
}
