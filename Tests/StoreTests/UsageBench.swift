import AppStore
import Decision
import PostgreSQL
import TestSupport

@testable import Store

/// A database with tables of usage, and sources that are read from it.
struct UsageBench {
  static let start = instant("2026-11-01T00:00:00Z")
  static let end = instant("2026-12-01T00:00:00Z")

  let server: PostgresServer
  let database: String

  init(_ tables: String = "") throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
    if !tables.isEmpty { try script(tables) }
  }

  func script(_ sql: String) throws {
    var connection = try connect()
    try connection.script(sql, timeout: .seconds(60))
  }

  func connect(as user: String = "postgres") throws -> Connection {
    try server.connect(to: database, user: user)
  }

  /// - Throws: what the daemon would refuse to start with.
  func queries(_ sources: [UsageSource]) throws -> Queries {
    var connection = try connect()
    return try QueryCompiler.compile(
      QueryPolicy(
        customer: [try NamedQuery("SELECT 1")], consent: try NamedQuery("SELECT true"),
        usage: UsagePolicy(currency: "USD", sources: sources), preference: PreferencePolicy(),
        searchPath: "pg_catalog, public"), on: &connection)
  }

  /// What is wrong with a source; nil when nothing is.
  func fault(_ source: UsageSource) throws -> QueryFault? {
    do {
      _ = try queries([source])
      return nil
    } catch CompilationError.fault(let fault) {
      return fault
    }
  }

  static func question(
    customer: String = "1", from: Instant = start, until: Instant = end, now: Instant? = nil,
    environment: AppStore.Environment = .production
  ) throws -> UsageReader.Question {
    let transaction = try Transaction(
      json: """
        {"transactionId":"700000000001","originalTransactionId":"700000000001",
        "bundleId":"com.example.app","productId":"pro.monthly",
        "type":"Auto-Renewable Subscription","purchaseDate":\(from.milliseconds),
        "signedDate":\(from.milliseconds),"environment":"\(environment.rawValue)"}
        """)
    return UsageReader.Question(
      values: PurchaseValues(transaction).with(customer: customer), environment: environment,
      window: UsageWindow(
        BillingPeriod(start: from, end: nil), laterTransaction: nil, revokedAt: nil, now: until),
      now: now ?? until)
  }

  func read(
    _ sources: [UsageSource], _ questions: [UsageReader.Question], alone: Bool = false,
    budget: Duration = .seconds(10), as user: String = "postgres"
  ) throws -> [UsageReader.Reading] {
    let reader = try queries(sources).usage
    var connection = try connect(as: user)
    return try reader.read(
      questions, alone: alone,
      batch: ReadOnlyBatch(
        searchPath: "pg_catalog, public", statementTimeout: budget, budget: budget),
      on: &connection)
  }

  /// What one source says of one customer.
  func usage(
    _ source: UsageSource, customer: String = "1", from: Instant = start, until: Instant = end
  ) throws -> SourceUsage {
    let reading = try read(
      [source], [Self.question(customer: customer, from: from, until: until)])
    guard let usage = reading.first?.sources.first else { throw TestSupportError("no reading") }
    return usage
  }
}

/// An instant of a test's own text.
func instant(_ text: String) -> Instant {
  Instant(iso8601: text) ?? Instant(microseconds: 0)
}

extension UsageSource {
  static func query(
    _ name: String, _ sql: String, settle: Duration = .zero, fresh: Freshness? = nil,
    environments: Set<AppStore.Environment> = Set(AppStore.Environment.allCases)
  ) throws -> UsageSource {
    UsageSource(
      name: name, measure: .query(try NamedQuery(sql)), settle: settle, fresh: fresh,
      environments: environments)
  }
}
