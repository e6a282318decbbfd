public import AppStore

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
