public import Decision
public import PostgreSQL

/// What PostgreSQL computed and judged for one request.
public struct Judged: Sendable {
  /// As the rules saw them; unknown facts are `.unknown`.
  public let facts: [FactName: FactValue]
  /// For `consumptiond.request.facts`: null for what does not apply, absent for what is unknown.
  public let json: String
  /// PostgreSQL's text of a numeric; nil when unknown.
  public let cost: String?
  public let verdict: RuleVerdict
}

/// Computes the facts that need arithmetic and judges the rules, both by PostgreSQL.
public struct RuleEvaluator: Sendable {
  private let rules: [CompiledRule]
  private let table: FactTable

  init(rules: [CompiledRule], table: FactTable) {
    self.rules = rules
    self.table = table
  }

  /// For each rule, which facts it uses.
  public var usedFacts: [[FactName]] { rules.map(\.facts) }

  /// Two statements for each request: the facts, then the rules, so that a division by zero in a
  /// rule loses no fact.
  ///
  /// - Returns: for each request what came of it, or why its facts could not even be computed; one
  ///   request's values are no reason to stop the others.
  /// - Returns: for each its judgement, or the error that kept it from one; some heal.
  /// - Throws: when nothing could be asked at all.
  public func judge(
    _ requests: [Facts], batch: ReadOnlyBatch, on connection: inout Connection
  ) throws(PostgresError) -> [Result<Judged, PostgresError>] {
    let isolated = ReadOnlyBatch(
      searchPath: "pg_catalog, pg_temp", statementTimeout: batch.statementTimeout,
      budget: batch.budget)
    let statements = requests.flatMap { facts in
      let input = FactsStatement(facts, table: table)
      return [input.computing, input.judging(rules)]
    }
    let results = try isolated.run(statements, on: &connection)
    var judged: [Result<Judged, PostgresError>] = []
    for (index, facts) in requests.enumerated() {
      switch results[2 * index] {
      case .success(let computed):
        do throws(PostgresError) {
          judged.append(.success(try judge(facts, computed, results[2 * index + 1])))
        } catch {
          judged.append(.failure(error))
        }
      case .failure(let error): judged.append(.failure(error))
      }
    }
    return judged
  }

  private func judge(
    _ facts: Facts, _ computed: Rows, _ ruled: Result<Rows, PostgresError>
  ) throws(PostgresError) -> Judged {
    guard let row = computed.first else { throw PostgresError.missingRow("facts") }
    var values: [FactName: FactValue] = [:]
    for definition in table.definitions {
      switch facts.status(of: definition.name) {
      case .unknown: values[definition.name] = .unknown
      case .notApplicable: values[definition.name] = .notApplicable
      case .known:
        values[definition.name] =
          try row.optionalString(definition.name.rawValue).map { .known($0) } ?? .notApplicable
      }
    }
    return Judged(
      facts: values, json: try row.string("consumptiond_json"), cost: values[.cost]?.text,
      verdict: try verdict(ruled))
  }

  /// An error that may heal is no verdict: the request waits and is judged again.
  private func verdict(
    _ ruled: Result<Rows, PostgresError>
  ) throws(PostgresError) -> RuleVerdict {
    switch ruled {
    case .failure(let error) where error.mayHeal && error.sqlState != "57014": throw error
    case .failure(let error): return .failed(message: error.summary)
    case .success(let rows):
      guard let row = rows.first, let code = try row.optionalInt("verdict") else {
        return .otherwise
      }
      return code >= 0 ? .matched(code) : .undecided(-code - 1)
    }
  }
}
