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
