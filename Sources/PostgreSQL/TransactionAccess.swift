/// What a transaction may do, as its caller declared it.
public enum TransactionAccess: Sendable, Equatable {
  case readWrite
  /// `BEGIN READ ONLY`: a statement that writes is refused and is itself at fault.
  case readOnly
}

/// Where a connection stands between two statements, as libpq saw it last.
public enum TransactionStatus: Sendable, Equatable {
  case idle
  /// A statement is running.
  case active
  case inTransaction
  /// In a transaction that only `ROLLBACK` can end.
  case failed
  /// The connection is lost.
  case unknown
}
