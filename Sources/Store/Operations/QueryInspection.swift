internal import Decision
public import PostgreSQL

/// Every query and rule of a configuration described by PostgreSQL, each by itself: what is wrong
/// with one hides nothing of the others.
public struct QueryInspection: Sendable {
  /// A query as PostgreSQL describes it.
  public struct Described: Sendable, Equatable {
    public let path: String
    /// `name type`; of a table or a rule: none.
    public let columns: [String]
  }

  public private(set) var results: [Result<Described, QueryFault>] = []
  /// The type of what the first `customer` query returns.
  public private(set) var customerType: UInt32?

  /// - Throws: when the database could not tell.
  public static func run(
    _ policy: QueryPolicy, on connection: inout Connection
  ) throws(PostgresError) -> QueryInspection {
    var inspection = QueryInspection()
    try inspection.customers(policy, on: &connection)
    try inspection.consent(policy, on: &connection)
    try inspection.sources(policy, on: &connection)
    try inspection.rules(policy, on: &connection)
    return inspection
  }

  private init() {}

  private mutating func customers(
    _ policy: QueryPolicy, on connection: inout Connection
  ) throws(PostgresError) {
    for (index, query) in policy.customer.enumerated() {
      let path = policy.customer.count == 1 ? "customer.query" : "customer[\(index)].query"
      let columns = try take(path, on: &connection) { connection throws(CompilationError) in
        let columns = try QueryCompiler.describe(
          query, path, policy.searchPath, on: &connection)
        guard columns.count == 1 else {
          throw .fault(
            QueryFault(
              path: path, message: "found \(columns.count) columns, expected one: the customer"))
        }
        return columns
      }
      customerType = customerType ?? columns?.first?.type
    }
  }

  private mutating func consent(
    _ policy: QueryPolicy, on connection: inout Connection
  ) throws(PostgresError) {
    _ = try take("consent.query", on: &connection) { connection throws(CompilationError) in
      let columns = try QueryCompiler.describe(
        policy.consent, "consent.query", policy.searchPath, on: &connection)
      try QueryCompiler.checkConsent(columns)
      return columns
    }
  }

  private mutating func sources(
    _ policy: QueryPolicy, on connection: inout Connection
  ) throws(PostgresError) {
    for (index, source) in (policy.usage?.sources ?? []).enumerated() {
      let path = "usage.sources[\(index)]"
      _ = try take("\(path) (\(source.name))", on: &connection) {
        connection throws(CompilationError) in
        _ = try QueryCompiler.compile(source, path, policy.searchPath, on: &connection)
        guard case .query(let query) = source.measure else { return [] }
        return try QueryCompiler.describe(
          query, path + ".query", policy.searchPath, on: &connection)
      }
    }
  }

  private mutating func rules(
    _ policy: QueryPolicy, on connection: inout Connection
  ) throws(PostgresError) {
    let table = FactTable(sources: policy.usage?.sources.map(\.name) ?? [])
    let found: [Result<CompiledRule, CompilationError>]
    do throws(CompilationError) {
      found = try RuleCompiler(table: table).inspect(policy.preference.rules, on: &connection)
    } catch {
      switch error {
      case .database(let error): throw error
      case .fault(let fault): return results.append(.failure(fault))
      }
    }
    for (rule, result) in zip(policy.preference.rules, found) {
      switch result {
      case .success: results.append(.success(Described(path: "rule \"\(rule.name)\"", columns: [])))
      case .failure(.fault(let fault)): results.append(.failure(fault))
      case .failure(.database(let error)): throw error
      }
    }
  }

  /// - Returns: the columns; nil when it is wrong.
  private mutating func take(
    _ path: String, on connection: inout Connection,
    _ describe: (inout Connection) throws(CompilationError) -> [Column]
  ) throws(PostgresError) -> [Column]? {
    do throws(CompilationError) {
      let columns = try describe(&connection)
      let names = try typeNames(columns, on: &connection)
      results.append(
        .success(
          Described(path: path, columns: zip(columns, names).map { "\($0.name) \($1)" })))
      return columns
    } catch {
      switch error {
      case .database(let error): throw error
      case .fault(let fault): results.append(.failure(fault))
      }
      return nil
    }
  }

  private func typeNames(
    _ columns: [Column], on connection: inout Connection
  ) throws(CompilationError) -> [String] {
    guard !columns.isEmpty else { return [] }
    do throws(PostgresError) {
      let rows = try connection.query(
        "SELECT format_type(t::oid, NULL) AS name FROM unnest($1::bigint[]) WITH ORDINALITY u (t, n) "
          + "ORDER BY n", [.array(columns.map { Int64($0.type) })])
      var names: [String] = []
      for row in rows { names.append(try row.string("name")) }
      return names
    } catch {
      throw .database(error)
    }
  }
}
