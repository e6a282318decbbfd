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
  public let notes: [Note]

  /// Nil when the choice is to send nothing.
  public init?(_ choice: Choice, _ policy: ResponsePolicy, for transaction: Transaction) {
    let wanted: RefundPreference?
    switch choice {
    case .decline: wanted = .decline
    case .grantFull: wanted = .grantFull
    case .grantProrated: wanted = .grantProrated
    case .none: wanted = nil
    case .noAnswer, .review: return nil
    }
    guard transaction.productType != .autoRenewable else {
      self.init(
        body: .autoRenewable(
          deliveryStatus: policy.deliveryStatus,
          sampleContentProvided: policy.sampleContentProvided, refundPreference: wanted))
      return
    }
    // For a product type that is not known yet the stricter rule is kept.
    do throws(ConsumptionBodyError) {
      self.init(
        body: try .oneTime(
          deliveryStatus: policy.deliveryStatus,
          sampleContentProvided: policy.sampleContentProvided, refundPreference: wanted))
    } catch {
      // The three required keys are the same for every product type.
      self.init(
        body: .autoRenewable(
          deliveryStatus: policy.deliveryStatus, sampleContentProvided: policy.sampleContentProvided
        ),
        notes: [
          policy.deliveryStatus == .delivered ? .proratedWithoutPercentage : .proratedUndelivered
        ])
    }
  }

  private init(body: ConsumptionBody, notes: [Note] = []) {
    self.body = body
    self.notes = notes
  }
}
