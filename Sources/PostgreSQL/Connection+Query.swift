internal import CPostgreSQL

extension Connection {
  /// Runs one statement.
  ///
  /// - Parameters:
  ///   - access: What the transaction around it was declared as; see `PostgresError.Kind`.
  ///   - timeout: After that the statement is cancelled. One that finishes all the same is a success.
  public mutating func query(
    _ sql: String, _ parameters: [Parameter] = [], access: TransactionAccess = .readWrite,
    timeout: Duration = .seconds(10)
  ) throws(PostgresError) -> Rows {
    try requireUsable()
    let statement = Statement(sql, parameters)
    try statement.validate()
    resetWarnings()
    guard send(statement) else { throw lost() }
    return try receive(access, timeout)
  }

  /// Runs several statements in one go, as one transaction unless they say otherwise.
  ///
  /// For migrations: the statements take no parameters.
  public mutating func script(
    _ sql: String, timeout: Duration = .seconds(10)
  ) throws(PostgresError) {
    try requireUsable()
    try Statement(sql).validate()
    resetWarnings()
    guard unsafe PQsendQuery(pointer, sql) == 1 else { throw lost() }
    _ = try receive(.readWrite, timeout)
  }

  /// Hands an unnamed statement to libpq; false when the connection is lost.
  mutating func send(_ statement: Statement) -> Bool {
    let types = statement.parameters.map { Oid($0.type) }
    let values = CStrings(statement.parameters.map(\.text))
    return unsafe values.withPointers { values in
      unsafe PQsendQueryParams(
        pointer, statement.sql, Int32(values.count), types, values.baseAddress, nil, nil, 0) == 1
    }
  }

  /// Receives everything that belongs to what was sent, and cancels it at the deadline.
  private mutating func receive(
    _ access: TransactionAccess, _ timeout: Duration
  ) throws(PostgresError) -> Rows {
    var budget = Budget(timeout)
    var group = GroupResult(access: access)
    receiving: while true {
      switch waitForResult(until: budget.nextDeadline) {
      case .result:
        guard let result = unsafe PQgetResult(pointer) else { break receiving }
        if unsafe !group.take(result) {
          giveUp()
          break receiving
        }
      case .deadlinePassed:
        if budget.extend(with: canceller) { continue }
        giveUp()
        group.fail(.abandoned(after: timeout))
        break receiving
      case .connectionLost:
        takeLast(into: &group)
        group.fail(lost())
        break receiving
      }
    }
    if !budget.isSettled() { giveUp() }
    switch group.outcome(warnings) {
    case .success(let rows): return rows
    case .failure(let error):
      if error.kind.endsConnection { giveUp() }
      if budget.isOver, error.kind == .cancelled {
        throw error.timedOut(after: timeout)
      }
      throw error
    }
  }

  /// Takes what a server said before it hung up: why it did. Without a socket libpq cannot wait.
  private mutating func takeLast(into group: inout GroupResult) {
    guard unsafe PQstatus(pointer) != CONNECTION_OK else { return }
    while let result = unsafe PQgetResult(pointer), unsafe group.take(result) {}
  }
}

extension PostgresError {
  /// A statement that was cancelled because our time for it was over.
  func timedOut(after timeout: Duration) -> PostgresError {
    with(kind: .timeout, message: "not done within \(timeout)")
  }

  /// The server did not even answer a cancel request.
  static func abandoned(after timeout: Duration) -> PostgresError {
    PostgresError(
      kind: .timeout, message: "not done within \(timeout), nor cancelled in time",
      outcomeIsUnknown: true)
  }
}

extension Statement {
  /// Refuses what libpq would cut short or not send, with the code that PostgreSQL gives to a zero
  /// byte: the value is at fault, not the connection.
  func validate() throws(PostgresError) {
    if sql.utf8.contains(0) || parameters.contains(where: { $0.text?.utf8.contains(0) ?? false }) {
      throw PostgresError(
        kind: .server, sqlState: "22021", message: "a zero byte in a statement or a parameter")
    }
    if parameters.count > 65535 {
      throw PostgresError(
        kind: .server, sqlState: "54000", message: "more than 65535 parameters in a statement")
    }
  }
}
