internal import Decision
internal import PostgreSQL
internal import Schema

/// A rule as PostgreSQL understood it.
struct CompiledRule: Sendable {
  /// What `pg_get_expr` says of the stored expression: this is evaluated, never the text.
  let expression: String
  let facts: [FactName]
  /// True when the expression can turn a null into a value, so that an unknown fact would decide.
  let canHideNull: Bool
}

/// Lets PostgreSQL validate the rules, as generated columns of a temporary table of the facts.
///
/// That admits one boolean expression over the facts and immutable functions, and refuses
/// subqueries, aggregates, parameters, unknown facts and all else. A role without privileges would
/// not contain a free expression: under READ ONLY one can still change session settings, take locks
/// and read tables through `query_to_xml`.
struct RuleCompiler {
  let table: FactTable

  private static let rulesPath = "response.refundPreference.rules"

  /// The temporary table is gone when this returns: its transaction is rolled back.
  func compile(
    _ rules: [Rule], on connection: inout Connection
  ) throws(CompilationError) -> [CompiledRule] {
    var compiled: [CompiledRule] = []
    for result in try inspect(rules, stopsAtFault: true, on: &connection) {
      compiled.append(try result.get())
    }
    return compiled
  }

  /// Each rule by itself, also after one that is wrong.
  ///
  /// - Throws: `.database` when the database could not tell.
  func inspect(
    _ rules: [Rule], stopsAtFault: Bool = false, on connection: inout Connection
  ) throws(CompilationError) -> [Result<CompiledRule, CompilationError>] {
    do throws(PostgresError) {
      _ = try connection.query("BEGIN")
      // A constant is read now and its text evaluated later: under the same settings.
      _ = try connection.query(
        "SELECT set_config('search_path', 'pg_catalog, pg_temp', true), "
          + ReadOnlyBatch.plainSettings)
      _ = try connection.query(
        "CREATE TEMPORARY TABLE consumptiond_facts (\(columns)) ON COMMIT DROP")
      _ = try connection.query("SAVEPOINT each")
    } catch {
      rollback(&connection)
      throw .database(error)
    }
    defer { rollback(&connection) }
    var results: [Result<CompiledRule, CompilationError>] = []
    for (index, rule) in rules.enumerated() {
      do throws(CompilationError) {
        results.append(.success(try compile(rule, index, on: &connection)))
      } catch {
        guard case .fault = error else { throw error }
        results.append(.failure(error))
        if stopsAtFault { return results }
        do throws(PostgresError) {
          _ = try connection.query("ROLLBACK TO SAVEPOINT each")
        } catch {
          throw .database(error)
        }
      }
    }
    return results
  }

  private var columns: String {
    table.definitions.map { "\"\($0.name)\" \($0.type.rawValue)" }.joined(separator: ", ")
  }

  private func rollback(_ connection: inout Connection) {
    _ = try? connection.query("ROLLBACK")
  }

  private func compile(
    _ rule: Rule, _ index: Int, on connection: inout Connection
  ) throws(CompilationError) -> CompiledRule {
    let path = "\(Self.rulesPath)[\(index)].when"
    // Described first and not executed, inside a function's parentheses: a text that closes them
    // and goes on with more of an ALTER TABLE ends here.
    let probe = "SELECT coalesce((\n"
    let alter =
      "ALTER TABLE pg_temp.consumptiond_facts ADD COLUMN consumptiond_rule boolean "
      + "GENERATED ALWAYS AS (\n"
    do throws(PostgresError) {
      _ = try connection.describe(
        "\(probe)\(rule.when)\n), false) FROM pg_temp.consumptiond_facts")
    } catch {
      throw fault(error, path, rule, offset: probe.count)
    }
    do throws(PostgresError) {
      _ = try connection.query("SAVEPOINT r")
      _ = try connection.query("\(alter)\(rule.when)\n) STORED")
      let inspected = try connection.query(SQL.ruleInspect)
      _ = try connection.query("ROLLBACK TO SAVEPOINT r")
      return try judge(inspected, path)
    } catch {
      throw fault(error, path, rule, offset: alter.count)
    }
  }

  private func judge(
    _ inspected: Rows, _ path: String
  ) throws(PostgresError) -> CompiledRule {
    let expected = table.definitions.map(\.name.rawValue) + ["consumptiond_rule"]
    guard let row = inspected.first,
      try row.array("columns").compactMap(\.self) == expected
    else { throw Self.refusal("not one expression") }
    guard try !row.bool("uses_system_column") else { throw Self.refusal("a system column") }
    guard try !row.bool("uses_own_object") else {
      throw Self.refusal("a function, operator, type or collation that is not built in")
    }
    return CompiledRule(
      expression: try row.string("expression"),
      facts: try row.array("facts").compactMap(\.self).map(FactName.init(rawValue:)),
      canHideNull: try row.bool("can_hide_null"))
  }

  private static func refusal(_ found: String) -> PostgresError {
    PostgresError(
      kind: .server, sqlState: "42P17",
      message: "found \(found), expected one boolean expression over the facts and PostgreSQL's "
        + "immutable functions")
  }

  /// PostgreSQL's error with the place in the rule's own text.
  private func fault(
    _ error: PostgresError, _ path: String, _ rule: Rule, offset: Int
  ) -> CompilationError {
    guard !error.mayHeal else { return .database(error) }
    var message = "rule \"\(rule.name)\": \(error.message)"
    let place = QueryFault.Place(error.position, in: rule.when, after: offset)
    if let place {
      message += " (at character \(place.position): \(excerpt(rule.when, place.position)))"
    }
    if let hint = error.hint { message += "; \(hint)" }
    return .fault(QueryFault(path: path, message: message, place: place))
  }

  private func excerpt(_ text: String, _ position: Int) -> String {
    // PostgreSQL counts code points.
    String(text.unicodeScalars.dropFirst(position - 1).prefix(24))
  }
}
