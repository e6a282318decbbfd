public import PostgreSQL

/// What the webhook does, for a shell.
public enum Enqueueing {
  /// - Parameter payload: a signed payload or Apple's whole body.
  /// - Returns: the id that a request made of it will have.
  public static func enqueue(
    _ payload: String, on connection: inout Connection
  ) throws(PostgresError) -> Int64 {
    let rows = try connection.query(
      "SELECT consumptiond.enqueue($1) AS id", [.text(payload)])
    guard let row = rows.first else { throw PostgresError.missingRow("enqueue") }
    return try row.int64("id")
  }
}
