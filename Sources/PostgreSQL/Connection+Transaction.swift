extension Connection {
  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
  ///
  /// - Parameter timeout: For each of BEGIN, COMMIT and ROLLBACK; the statements of `body` bring
  ///   their own.
  /// - Throws: What `body` throws, then nothing was done. An error of COMMIT says in
  ///   `outcomeIsUnknown` whether the transaction may stand all the same: its server was lost, it was
  ///   cancelled or abandoned, or it warned while committing.
  public mutating func transaction<Value>(
    access: TransactionAccess = .readWrite, timeout: Duration = .seconds(10),
    _ body: (inout Connection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    do {
      _ = try query(access == .readOnly ? "BEGIN READ ONLY" : "BEGIN", timeout: timeout)
    } catch {
      if isUsable { giveUp() }
      throw error.with(outcomeIsUnknown: false)
    }
    let value: Value
    do {
      value = try body(&self)
    } catch {
      rollback(timeout)
      // Without a COMMIT nothing stands, however the statement itself ended.
      throw error.with(outcomeIsUnknown: false)
    }
    try commit(access, timeout)
    return value
  }

  /// Ends the transaction. A connection that cannot is given up, so that nobody goes on inside it.
  mutating func rollback(_ timeout: Duration) {
    guard isUsable else { return }
    do {
      _ = try query("ROLLBACK", timeout: timeout)
    } catch {
      giveUp()
    }
  }

  private mutating func commit(
    _ access: TransactionAccess, _ timeout: Duration
  ) throws(PostgresError) {
    do throws(PostgresError) {
      let rows = try query("COMMIT", timeout: timeout)
      // A transaction in which a statement failed is rolled back by COMMIT, without an error.
      guard rows.commandTag == "COMMIT" else {
        throw PostgresError(
          kind: .server, sqlState: "25P02",
          message: "a statement of the transaction had failed; it was rolled back")
      }
      if access == .readWrite, let warning = warnings.first {
        throw PostgresError(kind: .cancelled, message: warning, outcomeIsUnknown: true)
      }
    } catch {
      if transactionStatus != .idle { giveUp() }
      let isUnknown =
        access == .readWrite
        && (error.outcomeIsUnknown || [.connection, .timeout, .cancelled].contains(error.kind))
      throw error.with(outcomeIsUnknown: isUnknown)
    }
  }
}
