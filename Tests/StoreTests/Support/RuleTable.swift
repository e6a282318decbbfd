import AppStore
import Decision
import PostgreSQL
import TestSupport

@testable import Store

/// Facts and rules without a lane around them.
enum RuleTable {
  /// - Parameters:
  ///   - cost: of the one source `calls`; nil is unknown.
  ///   - changes: of the sample transaction, JSON by key.
  static func facts(
    cost: String? = "5", quantity: String? = "10", reason: String? = "OTHER",
    signedAt: Instant = Purchases.start + Purchases.day * 3, position: PeriodPosition = .current,
    currency: String? = "USD", usage: [SourceUsage]? = nil, _ changes: [String: String?] = [:]
  ) throws -> Facts {
    Facts.gather(
      transaction: try Purchases.transaction(changes), reason: reason, signedAt: signedAt,
      position: position, deliveryStatus: .delivered, currency: currency,
      usage: usage ?? [SourceUsage(source: "calls", quantity: quantity, cost: cost)])
  }

  static let calls = UsageSource(name: "calls", measure: .query(queryOfNothing))

  private static let queryOfNothing: NamedQuery = {
    do {
      return try NamedQuery("SELECT 1, 1")
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  static func rules(_ expressions: [String]) -> [Rule] {
    expressions.enumerated().map {
      Rule(name: "rule \($0.offset)", when: $0.element, prefer: .decline)
    }
  }

  /// What the rules say of the facts.
  static func judge(
    _ expressions: [String], _ facts: Facts, sources: [UsageSource] = [calls],
    on connection: inout Connection
  ) throws -> Judged {
    let queries = try UserDatabase.compile(
      sources: sources, rules: rules(expressions), on: &connection)
    let judged = try queries.rules.judge([facts], batch: UserDatabase.batch, on: &connection)
    guard let first = judged.first else { throw TestSupportError("nothing was judged") }
    return try first.get()
  }
}
