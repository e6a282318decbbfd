internal import CPostgreSQL

extension Connection {
  /// Sends all groups without waiting in between and returns how each ended, in their order.
  ///
  /// Each group ends in a sync of its own and is, outside an explicit transaction, a transaction of
  /// its own: one that fails, fails alone.
  ///
  /// - Parameters:
  ///   - access: What the groups' transactions were declared as; see `PostgresError.Kind`.
  ///   - timeout: For all together. At its end what runs is cancelled (`.timeout`), what has not had
  ///     its turn is `.notRun`, and a transaction that a group had opened is rolled back.
  /// - Returns: For each group the rows of its last statement, or its error. When the connection is
  ///   lost, groups that had succeeded may be among those whose outcome is unknown.
  /// - Throws: Only when the connection was unusable before.
  public mutating func pipeline(
    _ groups: [[Statement]], access: TransactionAccess = .readWrite,
    timeout: Duration = .seconds(10)
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    try exchange(groups.map { .run($0) }, access, timeout)
  }

  /// Asks the server about a statement without running it.
  ///
  /// - Parameter parameterTypes: Oids of the first parameters; 0 and those left out are inferred.
  /// - Throws: `.server` with a position when PostgreSQL does not understand the statement.
  public mutating func describe(
    _ sql: String, parameterTypes: [UInt32] = [], timeout: Duration = .seconds(10)
  ) throws(PostgresError) -> StatementDescription {
    let group = PipelineGroup.describe(sql: sql, parameterTypes: parameterTypes)
    let outcomes = try exchange([group], .readWrite, timeout)
    guard let outcome = outcomes.first else { throw .lost("") }
    return StatementDescription(try outcome.get())
  }

  private mutating func exchange(
    _ groups: [PipelineGroup], _ access: TransactionAccess, _ timeout: Duration
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    try requireUsable()
    let statusBefore = transactionStatus
    guard unsafe PQenterPipelineMode(pointer) == 1 else { throw lost() }
    var run = PipelineRun(groups, access: access, timeout: timeout)
    run.perform(on: &self)
    if isUsable, unsafe PQexitPipelineMode(pointer) == 0 { giveUp() }
    if run.wasCutOff, statusBefore == .idle, isUsable, transactionStatus != .idle {
      rollback(Self.drainTime)
    }
    return run.outcomes
  }
}

extension StatementDescription {
  fileprivate init(_ rows: Rows) {
    let result = unsafe rows.handle.pointer
    parameterTypes = unsafe (0..<PQnparams(result)).map { unsafe PQparamtype(result, $0) }
    columns = rows.columns
  }
}
