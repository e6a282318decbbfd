/// What the user's queries may name: `$customer`, `$from` and so on.
public enum QueryParameter: String, Sendable, Hashable, CaseIterable {
  /// What the `customer` query returned.
  case customer
  /// The start of the disputed billing period.
  case from
  /// Where usage ends; of a purchase without end: now.
  case until
  case appAccountToken = "app_account_token"
  case originalTransactionId = "original_transaction_id"
  case transactionId = "transaction_id"
  case appTransactionId = "app_transaction_id"
  case productId = "product_id"
  case bundleId = "bundle_id"
  case environment

  /// Whether the value is an instant, bound as `timestamptz`.
  ///
  /// Everything else is bound without a type, so that PostgreSQL infers it: declaring text breaks
  /// `bigint = $1`, and leaving an instant to inference drops its zone beside a `timestamp` column.
  public var isInstant: Bool {
    switch self {
    case .from, .until: true
    case .customer, .appAccountToken, .originalTransactionId, .transactionId, .appTransactionId,
      .productId, .bundleId, .environment:
      false
    }
  }

  /// What can be known of a purchase before its customer is: the signed transaction's own fields.
  public static let ofPurchase: [QueryParameter] = [
    .appAccountToken, .originalTransactionId, .transactionId, .appTransactionId, .productId,
    .bundleId, .environment,
  ]
}
