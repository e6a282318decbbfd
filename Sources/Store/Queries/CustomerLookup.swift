public import Decision
public import PostgreSQL

/// Whose purchase it is.
public enum CustomerFinding: Sendable, Equatable {
  case found(String)
  /// A row with a null: the customer existed and is gone.
  case gone
  /// No query returned a row.
  case unknown
  /// A query returned two rows: an error, not "the first".
  case ambiguous
  /// A query failed, or a standby answered.
  case unavailable(Trouble)
}

/// The configuration's `customer` queries, tried in turn; the first that returns a row wins.
public struct CustomerLookup: Sendable {
  private let queries: [NamedQuery]

  public init(_ queries: [NamedQuery]) { self.queries = queries }

  /// Finds the customers of a batch.
  ///
  /// - Throws: when nothing could be asked at all.
  public func find(
    _ purchases: [PurchaseValues], batch: ReadOnlyBatch, on connection: inout Connection
  ) throws(PostgresError) -> [CustomerFinding] {
    var findings: [CustomerFinding] = purchases.map { _ in .unknown }
    for query in queries {
      let open = purchases.indices.filter {
        findings[$0] == .unknown && purchases[$0].haveAll(query.parameters)
      }
      let statements = open.map { index in
        Statement(Self.wrapped(query), purchases[index].bound(query.parameters))
      }
      let results = try batch.run(statements, on: &connection)
      for (index, result) in zip(open, results) { findings[index] = Self.finding(result) }
    }
    return findings
  }

  /// What a query returns is wrapped, which refuses statements that write; two rows are enough to
  /// know that there are too many.
  static func wrapped(_ query: NamedQuery) -> String {
    "SELECT q.*, pg_catalog.pg_is_in_recovery() FROM (\n\(query.sql)\n) q LIMIT 2"
  }

  private static func finding(_ result: Result<Rows, PostgresError>) -> CustomerFinding {
    switch result {
    case .failure(let error): return .unavailable(Trouble("customer.query", error))
    case .success(let rows):
      guard rows.columns.count == 2 else {
        return .unavailable(
          Trouble("customer.query: \(rows.columns.count - 1) columns, expected one"))
      }
      guard rows.count < 2 else { return .ambiguous }
      do throws(PostgresError) {
        guard let row = rows.first else { return .unknown }
        guard try !row.bool(1) else {
          return .unavailable(Trouble("customer.query: answered by a standby"))
        }
        return try row.optionalString(0).map { .found($0) } ?? .gone
      } catch {
        return .unavailable(Trouble("customer.query", error))
      }
    }
  }
}
