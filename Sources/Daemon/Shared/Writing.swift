internal import PostgreSQL
internal import Store

extension PostgresError {
  /// The value's fault and nobody else's: SQLSTATE classes 22 and 23, 54 (too long for an index, too
  /// deeply nested), and text that PostgreSQL cannot hold.
  var isDataFault: Bool {
    guard let sqlState else { return kind == .decoding }
    return ["22", "23", "54"].contains { sqlState.hasPrefix($0) }
  }
}

extension Connection {
  /// Writes all statements in one transaction; when the data of one broke it, each in its own, so
  /// that one poisoned value costs itself alone.
  ///
  /// - Returns: a result for each statement.
  mutating func writeTogetherOrAlone(
    _ statements: [Statement], timeout: Duration = .seconds(10)
  ) throws(PostgresError) -> [Result<Rows, PostgresError>] {
    guard statements.count > 1 else {
      return try pipeline(statements.map { [$0] }, timeout: timeout)
    }
    let together = try pipeline(
      [["BEGIN"]] + statements.map { [$0] } + [["COMMIT"]], timeout: timeout)
    let failures = together.compactMap { result in
      if case .failure(let error) = result { error } else { nil }
    }
    guard let first = failures.first else { return Array(together[1..<(statements.count + 1)]) }
    guard first.isDataFault, isUsable else { throw first }
    if transactionStatus != .idle { _ = try query("ROLLBACK") }
    return try pipeline(statements.map { [$0] }, timeout: timeout)
  }
}

extension Household {
  /// An error that nobody handled further in. A lost database is said once, by its health; what is
  /// cancelled by a shutdown is not said at all; the same from the same owner once a minute.
  func report(_ error: PostgresError, _ owner: String) {
    switch error.kind {
    case .connection, .readOnly: return
    case .cancelled where isStopping: return
    default: break
    }
    let said = "\(owner): \(error.summary)"
    let isNews = complaints.withLock { complaints in
      if let last = complaints[owner], last.text == said, last.at > .now - .seconds(60) {
        return false
      }
      complaints[owner] = (said, .now)
      return true
    }
    if isNews { log(.error, "database_error", said) }
  }
}
