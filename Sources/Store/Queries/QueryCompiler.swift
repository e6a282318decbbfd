public import Decision
public import PostgreSQL
internal import Schema

/// The parts of a configuration that are SQL, or become SQL.
public struct QueryPolicy: Sendable {
  public let customer: [NamedQuery]
  public let consent: NamedQuery
  public let usage: UsagePolicy?
  public let preference: PreferencePolicy
  public let searchPath: String

  public init(
    customer: [NamedQuery], consent: NamedQuery, usage: UsagePolicy?,
    preference: PreferencePolicy, searchPath: String
  ) {
    self.customer = customer
    self.consent = consent
    self.usage = usage
    self.preference = preference
    self.searchPath = searchPath
  }
}

/// The same, described by PostgreSQL and ready to run.
public struct Queries: Sendable {
  public let customer: CustomerLookup
  public let consent: ConsentReading
  public let usage: UsageReader
  public let rules: RuleEvaluator
}

/// Has PostgreSQL describe every query before the first request depends on it.
public enum QueryCompiler {
  /// - Throws: `.fault` with the path of the key that is wrong.
  public static func compile(
    _ policy: QueryPolicy, on connection: inout Connection
  ) throws(CompilationError) -> Queries {
    for (index, query) in policy.customer.enumerated() {
      let path = policy.customer.count == 1 ? "customer.query" : "customer[\(index)].query"
      let columns = try describe(query, path, policy.searchPath, on: &connection)
      guard columns.count == 1 else {
        throw .fault(
          QueryFault(
            path: path, message: "found \(columns.count) columns, expected one: the customer"))
      }
    }
    let consentColumns = try describe(
      policy.consent, "consent.query", policy.searchPath, on: &connection)
    try checkConsent(consentColumns)
    var sources: [CompiledSource] = []
    for (index, source) in (policy.usage?.sources ?? []).enumerated() {
      sources.append(
        try compile(source, "usage.sources[\(index)]", policy.searchPath, on: &connection))
    }
    let table = FactTable(sources: sources.map(\.name))
    let rules = try RuleCompiler(table: table).compile(policy.preference.rules, on: &connection)
    return Queries(
      customer: CustomerLookup(policy.customer),
      consent: ConsentReading(policy.consent, columns: consentColumns.count),
      usage: UsageReader(sources),
      rules: RuleEvaluator(rules: rules, table: table))
  }

  static func checkConsent(_ columns: [Column]) throws(CompilationError) {
    let path = "consent.query"
    guard (1...4).contains(columns.count) else {
      throw .fault(
        QueryFault(
          path: path,
          message: "found \(columns.count) columns, expected granted[, at[, source[, version]]]"))
    }
    guard columns[0].type == TypeID.bool else {
      throw .fault(
        QueryFault(
          path: path,
          message:
            "column 1 (\(columns[0].name)) is not a boolean: it says whether the customer consents")
      )
    }
    guard columns.count < 2 || columns[1].type == TypeID.timestamptz else {
      throw .fault(
        QueryFault(
          path: path,
          message:
            "column 2 (\(columns[1].name)) is not a timestamptz: it says when consent was given"))
    }
  }

  static func compile(
    _ source: UsageSource, _ path: String, _ searchPath: String, on connection: inout Connection
  ) throws(CompilationError) -> CompiledSource {
    let amount = try amount(source, path, searchPath, on: &connection)
    if let fresh = source.fresh {
      let columns = try describe(fresh.query, path + ".fresh.query", searchPath, on: &connection)
      guard columns.map(\.type) == [TypeID.timestamptz] else {
        throw .fault(
          QueryFault(
            path: path + ".fresh.query",
            message: "expected one column, a timestamptz: the newest row that is known"))
      }
    }
    do throws(NamedQueryError) {
      return try CompiledSource(source, amount)
    } catch {
      throw .fault(QueryFault(path: path, message: "\(error)"))
    }
  }

  private static func amount(
    _ source: UsageSource, _ path: String, _ searchPath: String, on connection: inout Connection
  ) throws(CompilationError) -> UsageSourceSQL {
    let compiled: UsageSourceSQL
    let key: String
    let filter: String?
    switch source.measure {
    case .query(let query):
      try checkAmounts(
        try describe(query, path + ".query", searchPath, on: &connection), path + ".query")
      return UsageSourceSQL(query: query)
    case .events(let events):
      key = ".events"
      filter = events.filter
      let names = try SourceCatalogue(path: path + key, searchPath: searchPath)
        .names(events, on: &connection)
      if let filter {
        try check(filter, of: names.table, path + key + ".where", searchPath, on: &connection)
      }
      compiled = UsageSourceSQL(events: events, names: names)
    case .level(let level):
      key = ".level"
      filter = level.filter
      let names = try SourceCatalogue(path: path + key, searchPath: searchPath)
        .names(level, on: &connection)
      if let filter {
        try check(filter, of: names.table, path + key + ".where", searchPath, on: &connection)
      }
      compiled = UsageSourceSQL(level: level, names: names)
    }
    do throws(CompilationError) {
      _ = try describe(
        compiled.sql, types: compiled.values.map(\.type),
        path + key + (filter == nil ? "" : ".where"), searchPath, on: &connection)
    } catch {
      // The text is ours: a place in it tells nobody anything.
      guard case .fault(let fault) = error else { throw error }
      throw .fault(QueryFault(path: fault.path, message: fault.message))
    }
    return compiled
  }

  private static func checkAmounts(
    _ columns: [Column], _ path: String
  ) throws(CompilationError) {
    guard columns.count == 2 else {
      throw .fault(
        QueryFault(
          path: path, message: "found \(columns.count) columns, expected two: quantity, cost"))
    }
    for (position, column) in columns.enumerated() where !numbers.contains(column.type) {
      throw .fault(
        QueryFault(
          path: path,
          message: "column \(position + 1) (\(column.name)) is not a number, expected numeric"))
    }
  }

  /// Refuses a `where` that is not one expression. Between brackets a text that closes its
  /// parentheses and opens others is a syntax error; between parentheses `true) OR (true` would add
  /// up everybody's rows.
  private static func check(
    _ filter: String, of table: String, _ path: String, _ searchPath: String,
    on connection: inout Connection
  ) throws(CompilationError) {
    do throws(NamedQueryError) {
      _ = try NamedQuery(filter, allowed: [])
    } catch {
      throw .fault(QueryFault(path: path, message: "\(error)"))
    }
    let wrapper = "SELECT (ARRAY[\n"
    let columns: [Column]
    do throws(CompilationError) {
      columns = try describe(
        "\(wrapper)\(filter)\n])[1] FROM \(table) t", types: [], path, searchPath,
        on: &connection)
    } catch {
      guard case .fault(let fault) = error else { throw error }
      throw .fault(
        QueryFault(
          path: path, message: fault.message,
          place: QueryFault.Place(fault.place?.position, in: filter, after: wrapper.count)))
    }
    guard columns.first?.type == TypeID.bool else {
      throw .fault(QueryFault(path: path, message: "found no boolean, expected a condition"))
    }
  }

  /// smallint, integer, bigint, real, double precision, numeric.
  private static let numbers: Set<UInt32> = [21, 23, 20, 700, 701, 1700]

  static func describe(
    _ query: NamedQuery, _ path: String, _ searchPath: String, on connection: inout Connection
  ) throws(CompilationError) -> [Column] {
    let wrapper = "SELECT * FROM (\n"
    do throws(CompilationError) {
      return try describe(
        "\(wrapper)\(query.sql)\n) q",
        types: query.parameters.map { $0.isInstant ? TypeID.timestamptz : 0 }, path, searchPath,
        on: &connection)
    } catch {
      guard case .fault(let fault) = error, let place = fault.place else { throw error }
      let inQuery = QueryFault.Place(place.position, in: query.sql, after: wrapper.count)
      throw .fault(QueryFault(path: path, message: fault.message, place: inQuery?.named(query)))
    }
  }

  private static func describe(
    _ sql: String, types: [UInt32], _ path: String, _ searchPath: String,
    on connection: inout Connection
  ) throws(CompilationError) -> [Column] {
    do throws(PostgresError) {
      return try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("SELECT set_config('search_path', $1, true)", [.text(searchPath)])
        return try connection.describe(sql, parameterTypes: types).columns
      }
    } catch {
      guard !error.mayHeal else { throw .database(error) }
      throw .fault(
        QueryFault(
          path: path, message: error.summary,
          place: QueryFault.Place(error.position, in: sql, after: 0)))
    }
  }
}

extension UsageSourceSQL.Value {
  var type: UInt32 {
    switch self {
    case .parameter(let parameter): parameter.isInstant ? TypeID.timestamptz : 0
    case .constant(_, let type): type
    }
  }
}
