public import AppStore

/// What the company says to Apple. The first two are statements of fact, so neither has a default.
public struct ResponsePolicy: Sendable, Equatable {
  /// Whether a sample, a trial or clear information was available before the purchase.
  public let sampleContentProvided: Bool
  public let deliveryStatus: DeliveryStatus
  public let preference: PreferencePolicy

  public init(
    sampleContentProvided: Bool, deliveryStatus: DeliveryStatus, preference: PreferencePolicy
  ) {
    self.sampleContentProvided = sampleContentProvided
    self.deliveryStatus = deliveryStatus
    self.preference = preference
  }
}
