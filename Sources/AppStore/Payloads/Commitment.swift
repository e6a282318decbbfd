/// `commitmentInfo` of a monthly subscription with a 12-month commitment (API 1.21).
///
/// The billing period is the transaction's own; these dates and prices are of the whole commitment
/// and for display.
public struct Commitment: Sendable, Equatable {
  /// From 1.
  public let billingPeriodNumber: Int?
  public let totalBillingPeriods: Int?
  public let expiresDate: Instant?
  /// Of all periods together, in milliunits.
  public let price: Int64?

  init?(_ json: JSONObject?) {
    guard let json else { return nil }
    billingPeriodNumber = json.int("billingPeriodNumber")
    totalBillingPeriods = json.int("totalBillingPeriods")
    expiresDate = json.instant("commitmentExpiresDate")
    price = json.int64("commitmentPrice")
  }
}
