/// That a purchase was refunded, or taken back from a family member or a seat.
public struct Revocation: Sendable, Equatable {
  /// Service ends as of then.
  public let date: Instant
  /// `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE`, `ASSIGNMENT_REVOKE` or a newer word.
  public let type: String?
  /// 1: a real or perceived issue of the app; 0: anything else.
  public let reason: Int?
  /// The refunded share in milliunits: 50000 is 50 %.
  public let percentage: Int?

  init?(_ claims: Claims) {
    guard let date = claims.json.instant("revocationDate") else { return nil }
    self.date = date
    type = claims.optionalText("revocationType")
    reason = claims.json.int("revocationReason")
    percentage = claims.json.int("revocationPercentage")
  }
}
