/// What went wrong between us and PostgreSQL.
///
/// `kind` drives decisions, `message` is for people. `description` never repeats a parameter's value
/// or a password, so it may be logged; `message` is the server's own and may quote data.
public struct PostgresError: Error, Sendable, Equatable {
  /// What the caller has to do about it.
  public enum Kind: String, Sendable, CaseIterable {
    /// The connection was lost or refused: throw it away. What was in flight may have happened.
    case connection
    /// The server takes no writes (SQLSTATE 25006): throw the connection away and resolve again.
    case readOnly
    /// The server refused the statement and said why with an SQLSTATE; the connection is fine.
    case server
    /// The deadline of ours passed.
    case timeout
    /// The statement was cancelled by somebody else: a `Canceller`, an administrator, or
    /// `statement_timeout` (SQLSTATE 57014).
    case cancelled
    /// In a pipeline: nothing of this group remains, it never had its turn.
    case notRun
    /// A column held something else than was asked for.
    case decoding
    /// The connection settings cannot be used.
    case conninfo
  }

  public let kind: Kind
  /// Five characters of the server's, nil when it said nothing.
  public let sqlState: String?
  /// The server's primary message, or ours.
  public let message: String
  public let hint: String?
  /// Where in the statement, in characters counted from one.
  public let position: Int?
  /// The constraint that was violated.
  public let constraint: String?
  /// True when the statement may or may not have taken effect: the connection was lost while it ran,
  /// a commit was cancelled or abandoned. Look before anything is done again.
  public let outcomeIsUnknown: Bool

  public init(
    kind: Kind, sqlState: String? = nil, message: String, hint: String? = nil,
    position: Int? = nil, constraint: String? = nil, outcomeIsUnknown: Bool = false
  ) {
    self.kind = kind
    self.sqlState = sqlState
    self.message = message
    self.hint = hint
    self.position = position
    self.constraint = constraint
    self.outcomeIsUnknown = outcomeIsUnknown
  }

  /// The same error with another statement about whether the work was done.
  func with(outcomeIsUnknown: Bool) -> PostgresError {
    PostgresError(
      kind: kind, sqlState: sqlState, message: message, hint: hint, position: position,
      constraint: constraint, outcomeIsUnknown: outcomeIsUnknown)
  }

  /// The same error under another kind.
  func with(kind: Kind, message: String? = nil) -> PostgresError {
    PostgresError(
      kind: kind, sqlState: sqlState, message: message ?? self.message, hint: hint,
      position: position, constraint: constraint, outcomeIsUnknown: outcomeIsUnknown)
  }
}

extension PostgresError.Kind {
  /// What an SQLSTATE means for the connection and the work.
  ///
  /// - Parameters:
  ///   - sqlState: The server's code.
  ///   - access: What the caller's transaction had declared. In a read-only one 25006 is the fault of
  ///     the statement, in any other it tells that this server takes no writes (any more).
  public init(sqlState: String, access: TransactionAccess) {
    switch sqlState {
    case "25006": self = access == .readOnly ? .server : .readOnly
    case "57014": self = .cancelled
    // Shut down, crashed, not accepting connections yet, database dropped, idle for too long.
    case "57P01", "57P02", "57P03", "57P04", "57P05": self = .connection
    // The server ended the session: idle in a transaction for too long.
    case "25P03": self = .connection
    case let code where code.hasPrefix("08"): self = .connection
    default: self = .server
    }
  }

  /// Whether the connection has to be thrown away.
  var endsConnection: Bool {
    self == .connection || self == .readOnly
  }
}
