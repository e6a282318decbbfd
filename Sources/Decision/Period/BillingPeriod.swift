public import AppStore

/// What the disputed charge paid for: from its purchase date up to, not including, its expiration
/// date. Both are the signed transaction's instants; nothing is added to a date.
public struct BillingPeriod: Sendable, Hashable {
  public let start: Instant
  /// Nil for a purchase without end.
  public let end: Instant?

  public init(start: Instant, end: Instant?) {
    self.start = start
    self.end = end
  }

  /// Nil when the transaction does not tell: a subscription without an end, or an end that is not
  /// after the start, which Sandbox is known to sign. Then there is no number, not a small one.
  public init?(_ transaction: Transaction) {
    let start = transaction.purchaseDate
    if let end = transaction.expiresDate {
      guard start < end else { return nil }
      self.init(start: start, end: end)
    } else {
      guard transaction.isOneTime else { return nil }
      self.init(start: start, end: nil)
    }
  }
}

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

/// Whether the disputed billing period is the subscription's newest.
public enum PeriodPosition: Sendable, Hashable {
  case current
  case past
  case unknown
  /// A purchase without end has no periods.
  case notApplicable

  /// - Parameters:
  ///   - renewal: of the same notification: its `renewalDate` is the end of the newest period, also
  ///     when the subscription has expired.
  ///   - laterTransactionIsKnown: in our own records.
  public init(
    _ transaction: Transaction, renewal: RenewalInfo?, laterTransactionIsKnown: Bool
  ) {
    guard let end = transaction.expiresDate else {
      self = transaction.isOneTime ? .notApplicable : .unknown
      return
    }
    // `isUpgraded` is Apple's own word that a later transaction exists.
    if laterTransactionIsKnown || transaction.isUpgraded {
      self = .past
    } else if let renewalDate = renewal?.renewalDate, renewalDate >= end {
      self = renewalDate == end ? .current : .past
    } else {
      self = .unknown
    }
  }

  /// The fact `period_position`.
  public var fact: FactValue {
    switch self {
    case .current: .known("current")
    case .past: .known("past")
    case .unknown: .unknown
    case .notApplicable: .notApplicable
    }
  }
}

extension Transaction {
  /// One of the three product types that are bought once. A type that is not known yet is none of
  /// them: nothing is concluded from its name.
  var isOneTime: Bool {
    switch productType {
    case .consumable, .nonConsumable, .nonRenewing: true
    case .autoRenewable, nil: false
    }
  }
}
