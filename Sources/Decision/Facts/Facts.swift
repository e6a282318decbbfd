public import AppStore

/// What is known of a request, before PostgreSQL computes and judges.
public struct Facts: Sendable, Equatable {
  /// Facts that need no arithmetic.
  public private(set) var values: [FactName: FactValue] = [:]
  /// Facts that PostgreSQL computes from the members below, and whether it may: `cost`, `price`,
  /// `price_converted`, `cost_share`, `elapsed`, `asked_after`.
  public private(set) var derived: [FactName: FactStatus] = [:]

  /// `cost` is the sum of these.
  public let costs: [FactValue]
  /// `price` in thousandths of a unit.
  public let priceMilliunits: Int64?
  /// `elapsed` is the share of it that was gone at `signedAt`.
  public let period: BillingPeriod?
  public let purchaseDate: Instant
  /// When the refund was asked for.
  public let signedAt: Instant

  /// - Parameters:
  ///   - reason: `consumptionRequestReason`, verbatim.
  ///   - usage: what each source said; without sources `cost` is unknown.
  ///   - currency: of the usage.
  public static func gather(
    transaction: Transaction, reason: String?, signedAt: Instant, position: PeriodPosition,
    deliveryStatus: DeliveryStatus, currency: String?, usage: [SourceUsage]
  ) -> Facts {
    var facts = Facts(
      costs: usage.map(\.cost).filter { $0 != .notApplicable },
      priceMilliunits: transaction.price,
      period: BillingPeriod(transaction), purchaseDate: transaction.purchaseDate,
      signedAt: signedAt)
    facts.gatherPurchase(transaction, reason: reason, position: position)
    facts.values[.deliveryStatus] = .known(deliveryStatus.rawValue)
    for source in usage {
      facts.values[.quantity(of: source.source)] = source.quantity
      facts.values[.cost(of: source.source)] = source.cost
    }
    facts.deriveMoney(transaction, usageCurrency: currency)
    facts.deriveTime(transaction)
    return facts
  }

  /// Facts as somebody states them, the computed ones too: what is absent is unknown.
  public static func stated(_ values: [FactName: FactValue]) -> Facts {
    let epoch = Instant(microseconds: 0)
    var facts = Facts(
      costs: [], priceMilliunits: nil, period: nil, purchaseDate: epoch, signedAt: epoch)
    facts.values = values
    return facts
  }

  /// The rule is the same for every fact: whether it is known, and whether it applies.
  public func status(of name: FactName) -> FactStatus {
    if let status = derived[name] { return status }
    return switch values[name] {
    case .known: .known
    case .notApplicable: .notApplicable
    case .unknown, nil: .unknown
    }
  }

  private init(
    costs: [FactValue], priceMilliunits: Int64?, period: BillingPeriod?, purchaseDate: Instant,
    signedAt: Instant
  ) {
    self.costs = costs
    self.priceMilliunits = priceMilliunits
    self.period = period
    self.purchaseDate = purchaseDate
    self.signedAt = signedAt
  }

  private mutating func gatherPurchase(
    _ transaction: Transaction, reason: String?, position: PeriodPosition
  ) {
    values[.reason] = .optional(reason, without: .notApplicable)
    values[.productId] = .known(transaction.productId)
    values[.productType] = .known(transaction.type)
    values[.environment] = .known(transaction.environment.rawValue)
    values[.storefront] = .optional(transaction.storefront, without: .unknown)
    values[.ownership] = .optional(transaction.ownership, without: .unknown)
    values[.quantity] = .optional(transaction.quantity.map(String.init), without: .unknown)
    values[.periodPosition] = position.fact
    values[.billingPlan] = .optional(transaction.billingPlanType, without: .notApplicable)
    values[.billingPeriodNumber] = .optional(
      transaction.commitment?.billingPeriodNumber.map(String.init),
      without: transaction.commitment == nil ? .notApplicable : .unknown)
    values[.totalBillingPeriods] = .optional(
      transaction.commitment?.totalBillingPeriods.map(String.init),
      without: transaction.commitment == nil ? .notApplicable : .unknown)
    values[.offerType] = .optional(
      transaction.offerType.map(Self.offerWord), without: .notApplicable)
    values[.offerDiscount] = .optional(transaction.offerDiscountType, without: .notApplicable)
    values[.freeTrial] = .known(transaction.offerDiscountType == "FREE_TRIAL" ? "true" : "false")
  }

  private mutating func deriveMoney(_ transaction: Transaction, usageCurrency: String?) {
    values[.priceCurrency] = .optional(transaction.currency, without: .unknown)
    let cost: FactStatus =
      !costs.isEmpty && costs.allSatisfy { $0.text != nil } ? .known : .unknown
    let price: FactStatus = priceMilliunits == nil ? .unknown : .known
    let currenciesAgree = usageCurrency != nil && transaction.currency == usageCurrency
    let converted: FactStatus = price == .known && currenciesAgree ? .known : .unknown
    derived[.cost] = cost
    derived[.price] = price
    derived[.priceConverted] = converted
    // Nothing is a share of 0, in whatever currency and at whatever cost.
    derived[.costShare] =
      if priceMilliunits == 0 {
        .notApplicable
      } else {
        cost == .known && converted == .known ? .known : .unknown
      }
  }

  private mutating func deriveTime(_ transaction: Transaction) {
    derived[.askedAfter] = purchaseDate <= signedAt ? .known : .unknown
    derived[.elapsed] =
      if let period {
        period.end == nil ? .notApplicable : .known
      } else {
        .unknown
      }
  }

  /// Apple's numbers, in Apple's words; a number that is new stands for itself.
  private static func offerWord(_ type: Int) -> String {
    switch type {
    case 1: "INTRODUCTORY"
    case 2: "PROMOTIONAL"
    case 3: "CODE"
    case 4: "WIN_BACK"
    default: String(type)
    }
  }
}

extension FactValue {
  fileprivate static func optional(_ text: String?, without absent: FactValue) -> FactValue {
    text.map(FactValue.known) ?? absent
  }
}
