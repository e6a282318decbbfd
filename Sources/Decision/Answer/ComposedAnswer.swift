public import AppStore

/// What is said to Apple, and what could not be.
public struct ComposedAnswer: Sendable, Equatable {
  /// Something that the decision wanted and the body does not hold.
  public enum Note: Sendable, Hashable {
    /// Apple takes `GRANT_PRORATED` for this product type only with a percentage between 0 and 100,
    /// and none is known.
    case proratedWithoutPercentage
    /// `GRANT_PRORATED` needs a percentage above 0, and what was not delivered has 0.
    case proratedUndelivered
  }

  public let body: ConsumptionBody
  /// As the body holds it.
  public let preference: RefundPreference?
  public let notes: [Note]

  /// Nil when the choice is to send nothing.
  public init?(_ choice: Choice, _ policy: ResponsePolicy, for transaction: Transaction) {
    let wanted: RefundPreference?
    switch choice {
    case .decline: wanted = .decline
    case .grantFull: wanted = .grantFull
    case .grantProrated: wanted = .grantProrated
    case .none: wanted = nil
    case .noAnswer: return nil
    }
    if transaction.productType == .autoRenewable {
      preference = wanted
      notes = []
      body = .autoRenewable(
        deliveryStatus: policy.deliveryStatus, sampleContentProvided: policy.sampleContentProvided,
        refundPreference: wanted)
      return
    }
    // Only for a subscription does Apple compute the share itself. For a product type that is not
    // known yet the stricter rule is kept: both refuse less than they are told.
    let note: Note? =
      wanted != .grantProrated
      ? nil
      : policy.deliveryStatus == .delivered ? .proratedWithoutPercentage : .proratedUndelivered
    preference = note == nil ? wanted : nil
    notes = note.map { [$0] } ?? []
    body = .oneTime(
      deliveryStatus: policy.deliveryStatus, sampleContentProvided: policy.sampleContentProvided,
      consumptionPercentage: nil, refundPreference: preference)
  }
}
