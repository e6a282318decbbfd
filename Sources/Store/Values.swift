internal import AppStore
public import PostgreSQL

extension Parameter {
  /// A timestamptz. Written with its zone, so that no session setting touches it.
  static func instant(_ instant: Instant?) -> Parameter {
    .typed(instant?.iso8601, TypeID.timestamptz)
  }

  static func interval(_ duration: Duration?) -> Parameter {
    guard let duration else { return .typed(nil, TypeID.interval) }
    let parts = duration.components
    return .typed(
      "\(parts.seconds) seconds \(parts.attoseconds / 1_000_000_000_000) microseconds",
      TypeID.interval)
  }

  static func uuids(_ values: [String]) -> Parameter { .array(values, of: TypeID.uuidArray) }
}

extension Row {
  /// A column that holds microseconds since 1970.
  func instant(_ column: String) throws(PostgresError) -> Instant {
    Instant(microseconds: try int64(column))
  }

  func optionalInstant(_ column: String) throws(PostgresError) -> Instant? {
    try optionalInt64(column).map { Instant(microseconds: $0) }
  }
}

extension PostgresError {
  /// A statement that always returns a row returned none: the schema is not the one we know.
  static func missingRow(_ statement: String) -> PostgresError {
    PostgresError(kind: .decoding, message: "\(statement) returned no row")
  }
}

extension PostgresError {
  /// One line for people: the SQLSTATE and the server's message, which carries no parameters'
  /// values but may quote one (an invalid uuid, say); those classes give their state alone.
  public var summary: String {
    switch sqlState {
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
