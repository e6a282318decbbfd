public import PostgreSQL

extension PostgresError {
  /// One line for people: the SQLSTATE and the server's message, as far as it can quote nobody's
  /// data: a value that is refused is quoted, and a function's own error says what its author likes.
  public var summary: String {
    switch sqlState {
    case let state? where state.hasPrefix("P0"): "SQLSTATE \(state), an error raised by a function"
    case let state? where state.hasPrefix("22") || state.hasPrefix("23"):
      "SQLSTATE \(state), a value that PostgreSQL refuses"
    case let state?: "SQLSTATE \(state), \(message)"
    case nil: message
    }
  }

  /// Whether it was cancelled for the time that it took, by us or by `statement_timeout`.
  var ranOutOfTime: Bool { kind == .timeout || sqlState == "57014" }

  /// Whether the same statement may work in a while without anybody mending anything: a timeout, a
  /// lost connection, a serialization failure, a full disk, a lock, a shutdown.
  public var mayHeal: Bool {
    switch kind {
    case .connection, .readOnly, .timeout, .cancelled, .notRun: true
    case .server:
      ["08", "40", "53", "55", "57"].contains { sqlState?.hasPrefix($0) ?? false }
    case .decoding, .conninfo: false
    }
  }
}
