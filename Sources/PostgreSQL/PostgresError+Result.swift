internal import CPostgreSQL

/// One part of an error or a notice.
func errorField(_ field: Int32, of result: OpaquePointer) -> String? {
  unsafe PQresultErrorField(result, field).map { unsafe String(cString: $0) }
}

extension PostgresError {
  /// The error that a failed result tells of.
  init(result: OpaquePointer, access: TransactionAccess) {
    guard let sqlState = unsafe errorField(PG_FIELD_SQLSTATE, of: result) else {
      // libpq made it itself: the connection is lost.
      let message = unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) } ?? ""
      self = .lost(message)
      return
    }
    let kind = Kind(sqlState: sqlState, access: access)
    unsafe self.init(
      kind: kind, sqlState: sqlState, message: errorField(PG_FIELD_MESSAGE, of: result) ?? "",
      hint: errorField(PG_FIELD_HINT, of: result),
      position: errorField(PG_FIELD_POSITION, of: result).flatMap { Int($0) },
      constraint: unsafe errorField(PG_FIELD_CONSTRAINT, of: result),
      outcomeIsUnknown: kind == .connection)
  }

  /// The connection went away while something was in flight.
  static func lost(_ message: String) -> PostgresError {
    let line = message.split(separator: "\n").map { $0.trimming(while: \.isWhitespace) }
      .joined(separator: "; ")
    return PostgresError(
      kind: .connection, message: line.isEmpty ? "the connection was lost" : line,
      outcomeIsUnknown: true)
  }
}
