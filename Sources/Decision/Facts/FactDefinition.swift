/// What a fact is, for rules and for people.
public struct FactDefinition: Sendable, Equatable {
  public let name: FactName
  public let type: FactType
  /// What it says, with its unit.
  public let meaning: String
  /// When it is unknown, or nil when it always is known or not applicable.
  public let unknown: String?
  /// When it is not applicable (null: the rule goes on), or nil when it always applies.
  public let notApplicable: String?

  init(
    _ name: FactName, _ type: FactType, _ meaning: String, unknown: String? = nil,
    notApplicable: String? = nil
  ) {
    self.name = name
    self.type = type
    self.meaning = meaning
    self.unknown = unknown
    self.notApplicable = notApplicable
  }

  /// The facts that every installation has, in the order in which people are shown them.
  public static let builtIn: [FactDefinition] = [
    FactDefinition(
      .cost, .numeric, "sum of the cost of all sources, in the usage currency",
      unknown: "a source is unknown, or there are none"),
    FactDefinition(
      .price, .numeric,
      "this charge as Apple states it: total with quantity and tax, in units of price_currency",
      unknown: "the transaction states none"),
    FactDefinition(
      .priceCurrency, .text, "ISO 4217 code", unknown: "the transaction states none"),
    FactDefinition(
      .priceConverted, .numeric, "price in the usage currency",
      unknown: "price or a currency is unknown, or the currencies differ"),
    FactDefinition(
      .costShare, .numeric, "cost divided by price_converted: 1 is the whole price",
      unknown: "cost or price_converted is unknown", notApplicable: "the price is 0"),
    FactDefinition(
      .elapsed, .numeric, "share of the period gone when the refund was asked for, 0 to 1",
      unknown: "a subscription's end is missing or not after its start",
      notApplicable: "a purchase without end"),
    FactDefinition(
      .askedAfter, .interval, "from the purchase to the signed date of the request",
      unknown: "the request is dated before the purchase"),
    FactDefinition(
      .reason, .text,
      "Apple's word: UNINTENDED_PURCHASE, FULFILLMENT_ISSUE, UNSATISFIED_WITH_PURCHASE, LEGAL, OTHER",
      notApplicable: "Apple gave none"),
    FactDefinition(.productId, .text, "Apple's product id"),
    FactDefinition(
      .productType, .text,
      "Apple's word: Auto-Renewable Subscription, Non-Renewing Subscription, Consumable, Non-Consumable"
    ),
    FactDefinition(
      .storefront, .text, "ISO 3166 code of three letters",
      unknown: "the transaction states none"),
    FactDefinition(.environment, .text, "Production or Sandbox"),
    FactDefinition(
      .ownership, .text, "Apple's word: PURCHASED (others are not answered)",
      unknown: "the transaction states none"),
    FactDefinition(
      .quantity, .integer, "how many were bought at once", unknown: "the transaction states none"),
    FactDefinition(
      .billingPlan, .text, "Apple's word: MONTHLY or BILLED_UPFRONT of a commitment",
      notApplicable: "no commitment"),
    FactDefinition(
      .billingPeriodNumber, .integer, "which billing period of the commitment, from 1",
      notApplicable: "no commitment"),
    FactDefinition(
      .totalBillingPeriods, .integer, "billing periods of the commitment",
      notApplicable: "no commitment"),
    FactDefinition(
      .periodPosition, .text, "current or past: whether the disputed period is the newest",
      unknown: "the renewal info does not tell", notApplicable: "a purchase without end"),
    FactDefinition(
      .offerType, .text, "INTRODUCTORY, PROMOTIONAL, CODE or WIN_BACK; Apple's number if it is new",
      notApplicable: "no offer"),
    FactDefinition(
      .offerDiscount, .text, "Apple's word: FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME",
      notApplicable: "no offer"),
    FactDefinition(.freeTrial, .boolean, "this charge is a free trial"),
    FactDefinition(.deliveryStatus, .text, "Apple's word, as it is answered"),
  ]
}
