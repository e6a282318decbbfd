internal import FoundationEssentials

/// A point in time in whole microseconds since 1970-01-01 00:00 UTC: the resolution of PostgreSQL's
/// `timestamptz`, so that a date of Apple's goes into the database and comes back as itself.
public struct Instant: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Apple's unit for every date but those in tokens. Stops at the ends of what can be expressed.
  public init(milliseconds: Int64) {
    let (value, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
    microseconds = overflow ? (milliseconds < 0 ? .min : .max) : value
  }

  /// The host's clock. Deadlines and leases go by the database's instead.
  public static func now() -> Instant {
    Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }

  /// Rounded down, as times before 1970 need it too.
  public var milliseconds: Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Rounded down: the unit of `iat` and `exp`.
  public var seconds: Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Stops at the ends of what can be expressed instead of trapping.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    let (value, overflow) = instant.microseconds.addingReportingOverflow(duration.microseconds)
    guard overflow else { return Instant(microseconds: value) }
    return Instant(microseconds: duration.microseconds < 0 ? .min : .max)
  }

  public static func - (instant: Instant, duration: Duration) -> Instant {
    instant + (.zero - duration)
  }

  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds) - .microseconds(right.microseconds)
  }

  public var description: String { iso8601 }
}

extension Duration {
  /// Whole microseconds, rounded towards zero.
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }
}
