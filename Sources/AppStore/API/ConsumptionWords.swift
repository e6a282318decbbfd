/// `deliveryStatus` of a consumption request, version 2.
public enum DeliveryStatus: String, Sendable, CaseIterable {
  case delivered = "DELIVERED"
  case undeliveredQualityIssue = "UNDELIVERED_QUALITY_ISSUE"
  case undeliveredWrongItem = "UNDELIVERED_WRONG_ITEM"
  case undeliveredServerOutage = "UNDELIVERED_SERVER_OUTAGE"
  case undeliveredOther = "UNDELIVERED_OTHER"
}

/// `refundPreference` of a consumption request, version 2. No preference is the field left out.
public enum RefundPreference: String, Sendable, CaseIterable {
  case decline = "DECLINE"
  case grantFull = "GRANT_FULL"
  case grantProrated = "GRANT_PRORATED"
}
