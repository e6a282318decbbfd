import AppStore
import Decision
import PostgreSQL
import TestSupport

@testable import Store

/// A company's own database: what its queries read. Nothing of ours is installed in it.
struct UserDatabase {
  let server: PostgresServer
  let name: String

  init(_ script: String = "") throws {
    server = try TestServer.shared()
    name = try server.createDatabase()
    var connection = try server.connect(to: name)
    if !script.isEmpty { try connection.script(script) }
  }

  func connect(as user: String = "postgres") throws -> Connection {
    try server.connect(to: name, user: user)
  }

  /// A role that may log in and has been granted what `grants` says, where `$` is its name.
  func role(_ grants: String = "") throws -> String {
    let role = "role_\(UInt32.random(in: 0 ... .max))"
    var connection = try connect()
    try connection.script("CREATE ROLE \(role) LOGIN; \(grants.replacing("$", with: role))")
    return role
  }

  static let batch = ReadOnlyBatch(
    searchPath: "pg_catalog, public", statementTimeout: .seconds(5), budget: .seconds(20))

  /// What PostgreSQL makes of queries and rules.
  static func compile(
    customer: [String] = ["SELECT 1"], consent: String = "SELECT true",
    sources: [UsageSource] = [], rules: [Rule] = [], searchPath: String = "pg_catalog, public",
    on connection: inout Connection
  ) throws -> Queries {
    try QueryCompiler.compile(
      QueryPolicy(
        customer: try customer.map { try NamedQuery($0) }, consent: try NamedQuery(consent),
        usage: sources.isEmpty ? nil : UsagePolicy(currency: "USD", sources: sources),
        preference: PreferencePolicy(rules: rules), searchPath: searchPath),
      on: &connection)
  }

  /// Why they are refused: `PATH: message`; nil when they are not.
  static func fault(
    customer: [String] = ["SELECT 1"], consent: String = "SELECT true",
    sources: [UsageSource] = [], rules: [Rule] = [], on connection: inout Connection
  ) throws -> String? {
    do {
      _ = try compile(
        customer: customer, consent: consent, sources: sources, rules: rules, on: &connection)
      return nil
    } catch CompilationError.fault(let fault) {
      return fault.description
    }
  }
}

extension PurchaseValues {
  /// The sample purchase of customer `customer`, in its whole billing period.
  static func sample(customer: String? = nil, _ changes: [String: String?] = [:]) throws
    -> PurchaseValues
  {
    let values = PurchaseValues(try Purchases.transaction(changes))
    guard let customer else { return values }
    let period = BillingPeriod(start: Purchases.start, end: Purchases.end)
    guard
      let window = UsageWindow(
        period, laterTransaction: nil, revokedAt: nil, now: Purchases.end + Purchases.day)
    else { throw TestSupportError("the sample has no window") }
    return values.with(customer: customer).with(window)
  }
}

extension UsageReader.Question {
  /// About the sample's period, a day after its end.
  static func sample(customer: String, _ changes: [String: String?] = [:]) throws
    -> UsageReader.Question
  {
    let now = Purchases.end + Purchases.day
    return UsageReader.Question(
      values: PurchaseValues(try Purchases.transaction(changes)).with(customer: customer),
      environment: .production,
      window: UsageWindow(
        BillingPeriod(start: Purchases.start, end: Purchases.end), laterTransaction: nil,
        revokedAt: nil, now: now), now: now)
  }
}
