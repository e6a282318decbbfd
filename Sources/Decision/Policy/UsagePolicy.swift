/// All usage that counts, in one currency.
public struct UsagePolicy: Sendable, Equatable {
  /// ISO 4217.
  public let currency: String
  public let sources: [UsageSource]

  public init(currency: String, sources: [UsageSource]) {
    self.currency = currency
    self.sources = sources
  }
}
