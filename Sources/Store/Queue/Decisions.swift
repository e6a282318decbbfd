public import AppStore
public import Decision
public import PostgreSQL
internal import Schema

/// The evidence of a decision: written once, before the first send.
public struct DecisionRecord: Sendable {
  public let customer: String
  public let consent: ConsentProof
  public let period: BillingPeriod?
  public let position: PeriodPosition
  public let transaction: Transaction
  /// ISO 4217, of the usage.
  public let currency: String?
  public let judged: Judged
  /// The name of the rule that matched.
  public let rule: String?
  public let preference: RefundPreference?
  /// The bytes for Apple; nil when a rule says not to answer.
  public let body: String?
  public let paragraph: String

  public init(
    customer: String, consent: ConsentProof, period: BillingPeriod?, position: PeriodPosition,
    transaction: Transaction, currency: String?, judged: Judged, rule: String?,
    preference: RefundPreference?, body: String?, paragraph: String
  ) {
    self.customer = customer
    self.consent = consent
    self.period = period
    self.position = position
    self.transaction = transaction
    self.currency = currency
    self.judged = judged
    self.rule = rule
    self.preference = preference
    self.body = body
    self.paragraph = paragraph
  }

  /// Under the lease, and only while nothing is decided; returns no row otherwise.
  public func statement(_ work: Work) -> Statement {
    Statement(
      SQL.requestDecide,
      [
        .int(work.id), .typed(work.token, TypeID.uuid), .text(customer),
        .typed(consent.json, TypeID.jsonb), .instant(period?.start), .instant(period?.end),
        .text(transaction.billingPlanType), .int(transaction.commitment?.billingPeriodNumber),
        .text(position.fact.text), .typed(judged.cost, TypeID.numeric), .text(currency),
        .typed(judged.json, TypeID.jsonb), .text(rule), .text(preference?.rawValue),
        .text(body), .text(paragraph),
      ])
  }
}
