/// The error codes of the App Store Server API that change what happens next. Every other code is
/// judged by its HTTP status: Apple adds codes before its libraries know them.
enum AppleCode {
  /// "…Retryable", and the two general internal ones.
  static let retryable: Set<Int64> = [4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001]
  static let rateLimitExceeded: Int64 = 4_290_000
  /// ConsumptionPercentageAutoRenewableSubscription, InvalidRefundPreference.
  static let aboutOptionalKeys: Set<Int64> = [4_000_209, 4_000_044]
}
