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

  /// One read-only transaction and one round trip: an unconditional rollback to a savepoint before
  /// each query, each with its own sync, so that a division by zero or a timeout costs only its own
  /// query, through PgBouncer too. The rollback and its query share a sync: without the transaction
  /// the one fails and the other is not run, so that nothing ever runs outside of what is read-only.
  ///
  /// - Returns: a result for each statement, in their order.
  /// - Throws: when the transaction itself could not be begun: nothing was asked.
  func run(
    _ statements: [Statement], on connection: inout Connection
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    guard !statements.isEmpty else { return [] }
    let begin: [Statement] = [
      "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY", settings, "SAVEPOINT s",
    ]
    let queries: [[Statement]] = statements.map { ["ROLLBACK TO SAVEPOINT s", $0] }
    // Rolled back: before PostgreSQL 16 a large object may be made in a read-only transaction.
    let results = try connection.pipeline(
      [begin] + queries + [["ROLLBACK"]], access: .readOnly, timeout: budget)
    if connection.isUsable, connection.transactionStatus != .idle {
      _ = try? connection.query("ROLLBACK", timeout: .seconds(1))
    }
    if case .failure(let error) = results[0] { throw error }
    return Array(results[1...statements.count])
  }

  /// `row_security` off makes PostgreSQL refuse a query from which a policy would hide rows; on, a
  /// reader without a policy sees a sum of 0.
  private var settings: Statement {
    let milliseconds = max(
      statementTimeout.components.seconds * 1000
        + statementTimeout.components.attoseconds / 1_000_000_000_000_000, 1)
    return Statement(
      """
      SELECT set_config('row_security', 'off', true), set_config('jit', 'off', true),
          set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
          set_config('search_path', $2, true), \(Self.plainSettings)
      """, [.text("\(milliseconds)ms"), .text(searchPath)])
  }

  /// What makes the meaning and the text of values independent of what server, database, role and
  /// client have set, as a list of expressions.
  static let plainSettings = """
    set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, MDY', true),
        set_config('IntervalStyle', 'postgres', true), set_config('extra_float_digits', '1', true),
        set_config('standard_conforming_strings', 'on', true)
    """
}
