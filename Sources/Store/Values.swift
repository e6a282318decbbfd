internal import AppStore
internal import PostgreSQL

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
