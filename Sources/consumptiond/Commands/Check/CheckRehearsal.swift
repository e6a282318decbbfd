import AppStore
import Decision
import FoundationEssentials
import PostgreSQL
import Store

/// Customers run through the queries: one who does not exist, and one who does.
struct CheckRehearsal {
  let configuration: Configuration
  let queries: Queries
  let customerType: UInt32?
  /// The database's clock.
  let now: Instant

  /// Nobody's purchase: Apple gives such ids to nobody.
  private static let transaction = "999999999999999999"
  private static let month = Duration.seconds(30 * 86_400)

  var batch: ReadOnlyBatch {
    ReadOnlyBatch(
      searchPath: configuration.connections.searchPath,
      statementTimeout: configuration.worker.queryTimeout,
      budget: configuration.worker.queryTimeout)
  }

  // MARK: A customer who does not exist

  func nobody(on connection: inout Connection) throws(PostgresError) -> [Finding] {
    let purchase = try purchase()
    let found = try queries.customer.find([purchase], batch: batch, on: &connection).first
    var findings = [Self.finding(found)]
    guard let id = Self.nobody(customerType) else {
      findings.append(
        .doubtful(
          "nobody", "no id of that type is known to be nobody's: consent and usage were not asked",
          "consumptiond check --customer ID"))
      return findings
    }
    let consent = try queries.consent.read(
      [purchase.with(customer: id)], batch: batch, on: &connection
    ).first
    findings.append(Self.finding(consent))
    for usage in try usage(of: id, on: &connection) { findings.append(Self.ofNobody(usage)) }
    return findings
  }

  /// As each type of PostgreSQL's spells somebody who is not there.
  static func nobody(_ type: UInt32?) -> String? {
    switch type {
    case TypeID.int8, TypeID.int4, TypeID.numeric: "-2147483648"
    case TypeID.text, 1043: "consumptiond check: nobody"
    case TypeID.uuid: UUID().uuidString.lowercased()
    default: nil
    }
  }

  static func finding(_ customer: CustomerFinding?) -> Finding {
    let subject = "customer, of a purchase that nobody made"
    switch customer {
    case .unknown?: return .fine(subject, "no row, as it should be")
    case .unavailable(let trouble)?: return .wrong(subject, trouble.message)
    case .gone?:
      return .wrong(
        subject, "a row with a null, which says that the customer is gone for good",
        "a purchase that is not known must give no row")
    case .found?, .ambiguous?, nil:
      return .wrong(
        subject, "a customer was found: others would be answered for by that name",
        "the query must compare the parameter that it mentions with = and nothing else")
    }
  }

  static func finding(_ consent: ConsentFinding?) -> Finding {
    let subject = "consent, of nobody"
    switch consent {
    case .notGranted?: return .fine(subject, "no consent, as it should be")
    case .unavailable(let trouble)?: return .wrong(subject, trouble.message)
    case .granted?, .ambiguous?, nil:
      return .wrong(
        subject, "consent was found for a customer who does not exist",
        "the query must ask for $customer, and give no row or false without one")
    }
  }

  private static func ofNobody(_ usage: SourceUsage) -> Finding {
    let subject = "usage of nobody, \(usage.source)"
    if let fault = fault(usage, subject) { return fault }
    guard isZero(usage.quantity), isZero(usage.cost) else {
      return .wrong(
        subject, "\(shown(usage)): others' usage is counted",
        "the query must ask for $customer, between $from and $until")
    }
    return .fine(subject, "0, cost 0")
  }

  private static func isZero(_ value: FactValue) -> Bool {
    guard let text = value.text else { return value == .notApplicable }
    return ExactDecimal(text)?.isZero ?? false
  }

  // MARK: A customer who does

  func somebody(
    _ id: String, on connection: inout Connection
  ) throws(PostgresError) -> [Finding] {
    let consent = try queries.consent.read(
      [try purchase().with(customer: id)], batch: batch, on: &connection
    ).first
    var findings = [Self.consent(consent, of: id)]
    for usage in try usage(of: id, on: &connection) {
      let subject = "usage of \(id), \(usage.source)"
      findings.append(
        Self.fault(usage, subject) ?? .fine(subject, "\(Self.shown(usage)), in 30 days"))
    }
    return findings
  }

  private static func consent(_ consent: ConsentFinding?, of id: String) -> Finding {
    let subject = "consent of \(id)"
    switch consent {
    case .granted(let proof)?: return .fine(subject, "given: \(proof.json)")
    case .notGranted(let proof)?:
      return .fine(subject, "not given" + (proof.map { ": \($0.json)" } ?? ": no row"))
    case .ambiguous?:
      return .wrong(subject, "more than one row", "ORDER BY … LIMIT 1: the newest counts")
    case .unavailable(let trouble)?: return .wrong(subject, trouble.message)
    case nil: return .wrong(subject, "no answer")
    }
  }

  // MARK: Both

  private func purchase() throws(PostgresError) -> PurchaseValues {
    let bundleId = configuration.apps.first?.bundleId ?? ""
    let json = JSONText.object([
      ("transactionId", .string(Self.transaction)),
      ("originalTransactionId", .string(Self.transaction)), ("bundleId", .string(bundleId)),
      ("productId", .string("consumptiond.check")),
      ("type", .string("Auto-Renewable Subscription")),
      ("appAccountToken", .string(UUID().uuidString.lowercased())),
      ("appTransactionId", .string(Self.transaction)),
      ("purchaseDate", .int((now - Self.month).milliseconds)),
      ("signedDate", .int(now.milliseconds)), ("environment", .string(environment.rawValue)),
    ]).text
    do throws(SignedPayloadError) {
      return PurchaseValues(try Transaction(json: json))
    } catch {
      throw PostgresError(kind: .decoding, message: error.description)
    }
  }

  private var environment: AppStore.Environment {
    configuration.apps.contains { $0.environments.contains(.production) } ? .production : .sandbox
  }

  /// The last 30 days that have settled.
  private func usage(
    of id: String, on connection: inout Connection
  ) throws(PostgresError) -> [SourceUsage] {
    let settle = configuration.usage?.sources.map(\.settle).max() ?? .zero
    let end = now - settle
    let window = UsageWindow(
      BillingPeriod(start: end - Self.month, end: end), laterTransaction: nil, revokedAt: nil,
      now: now)
    let question = UsageReader.Question(
      values: try purchase().with(customer: id), environment: environment, window: window, now: now)
    return try queries.usage.read([question], alone: true, batch: batch, on: &connection)
      .first?.sources ?? []
  }

  private static func shown(_ usage: SourceUsage) -> String {
    "\(usage.quantity.text ?? "unknown"), cost \(usage.cost.text ?? "unknown")"
  }

  /// Why a source cannot tell; nil when it can, or does not apply.
  private static func fault(_ usage: SourceUsage, _ subject: String) -> Finding? {
    switch usage.ignorance {
    case nil: nil
    case .noNumber:
      .doubtful(
        subject, "null or NaN: unknown, and not 0", "coalesce(sum(…), 0), where no rows mean none")
    case .rows(let count): .wrong(subject, "\(count) rows, expected one")
    case .hiddenRows:
      .wrong(
        subject, "row-level security hides rows from the role", "a policy for it, or BYPASSRLS")
    case .permission: .wrong(subject, "no permission", "GRANT SELECT to the daemon's role")
    case .timeout:
      .doubtful(
        subject, "took longer than worker.queryTimeout",
        "an index on the customer and the time")
    case .error(let state): .wrong(subject, "SQLSTATE \(state)")
    case .stale: .doubtful(subject, "not fresh enough now", "is what fills it running?")
    case .noWindow, .settling, .unavailable:
      .doubtful(subject, "could not be asked now", nil)
    }
  }
}
