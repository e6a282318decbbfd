internal import PostgreSQL

/// The user's queries, run so that they can only read, and so that each fails alone.
public struct ReadOnlyBatch: Sendable {
  /// For unqualified names in the user's SQL.
  public let searchPath: String
  /// For one query.
  public let statementTimeout: Duration
  /// For all of them together: a stuck one must not stall the rest.
  public let budget: Duration

  public init(searchPath: String, statementTimeout: Duration, budget: Duration) {
    self.searchPath = searchPath
    self.statementTimeout = statementTimeout
    self.budget = budget
  }

  /// The same with what is left of the time, of which each query has one of `shares`.
  public func within(_ left: Duration, shares: Int = 1) -> ReadOnlyBatch {
    let left = max(left, .milliseconds(1))
    return ReadOnlyBatch(
      searchPath: searchPath, statementTimeout: min(statementTimeout, left / shares), budget: left)
  }

  /// One read-only transaction and one round trip: a savepoint before each query and an
  /// unconditional rollback to it after, each with its own sync, so that a division by zero or a
  /// timeout costs only its own query, through PgBouncer too.
  ///
  /// - Returns: a result for each statement, in their order.
  /// - Throws: when the transaction itself could not be begun: nothing was asked.
  func run(
    _ statements: [Statement], on connection: inout Connection
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    var groups: [[Statement]] = []
    for statement in statements {
      groups.append([statement])
      groups.append(["ROLLBACK TO SAVEPOINT s"])
    }
    let results = try run(groups, on: &connection)
    return statements.indices.map { results[2 * $0] }
  }

  /// The same without savepoints, a third cheaper: after one that fails the rest fails too, and is
  /// asked again by ``run(_:on:)``.
  func runTogether(
    _ statements: [Statement], on connection: inout Connection
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    try run(statements.map { [$0] }, on: &connection)
  }

  private func run(
    _ groups: [[Statement]], on connection: inout Connection
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    guard !groups.isEmpty else { return [] }
    let begin: [Statement] = [
      "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY", settings, "SAVEPOINT s",
    ]
    let results = try connection.pipeline(
      [begin] + groups + [["COMMIT"]], access: .readOnly, timeout: budget)
    if connection.isUsable, connection.transactionStatus != .idle {
      _ = try? connection.query("ROLLBACK", timeout: .seconds(1))
    }
    if case .failure(let error) = results[0] { throw error }
    return Array(results[1...groups.count])
  }

  /// `row_security` off makes PostgreSQL refuse a query from which a policy would hide rows; on, a
  /// reader without a policy sees a sum of 0. The rest makes results independent of what server,
  /// database, role and client have set.
  private var settings: Statement {
    let milliseconds = max(
      statementTimeout.components.seconds * 1000
        + statementTimeout.components.attoseconds / 1_000_000_000_000_000, 1)
    return Statement(
      """
      SELECT set_config('row_security', 'off', true), set_config('TimeZone', 'UTC', true),
          set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'postgres', true),
          set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
          set_config('search_path', $2, true), set_config('jit', 'off', true),
          set_config('standard_conforming_strings', 'on', true)
      """, [.text("\(milliseconds)ms"), .text(searchPath)])
  }
}
