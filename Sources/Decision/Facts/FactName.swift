/// The name of a fact: a column that a rule may use.
public struct FactName: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The quantity of a usage source.
  public static func quantity(of source: String) -> FactName { FactName(rawValue: source) }

  /// The cost of a usage source.
  public static func cost(of source: String) -> FactName { FactName(rawValue: source + "_cost") }

  public static func < (left: FactName, right: FactName) -> Bool { left.rawValue < right.rawValue }

  public var description: String { rawValue }
}

extension FactName {
  public static let cost = FactName(rawValue: "cost")
  public static let price = FactName(rawValue: "price")
  public static let priceCurrency = FactName(rawValue: "price_currency")
  public static let priceConverted = FactName(rawValue: "price_converted")
  public static let costShare = FactName(rawValue: "cost_share")
  public static let elapsed = FactName(rawValue: "elapsed")
  public static let askedAfter = FactName(rawValue: "asked_after")
  public static let reason = FactName(rawValue: "reason")
  public static let productId = FactName(rawValue: "product_id")
  public static let productType = FactName(rawValue: "product_type")
  public static let storefront = FactName(rawValue: "storefront")
  public static let environment = FactName(rawValue: "environment")
  public static let ownership = FactName(rawValue: "ownership")
  public static let quantity = FactName(rawValue: "quantity")
  public static let billingPlan = FactName(rawValue: "billing_plan")
  public static let billingPeriodNumber = FactName(rawValue: "billing_period_number")
  public static let totalBillingPeriods = FactName(rawValue: "total_billing_periods")
  public static let periodPosition = FactName(rawValue: "period_position")
  public static let offerType = FactName(rawValue: "offer_type")
  public static let offerDiscount = FactName(rawValue: "offer_discount")
  public static let freeTrial = FactName(rawValue: "free_trial")
  public static let deliveryStatus = FactName(rawValue: "delivery_status")
  public static let earlierRequests = FactName(rawValue: "earlier_requests")
  public static let earlierRefunds = FactName(rawValue: "earlier_refunds")

  /// Facts that need a history of the customer's other transactions, which this version does not
  /// keep: a rule that names one is refused instead of never being true.
  public static let notBuiltYet: [FactName] = [.earlierRequests, .earlierRefunds]
}
