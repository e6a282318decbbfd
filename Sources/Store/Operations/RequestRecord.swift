public import PostgreSQL
internal import Schema

/// One request whole, for `consumptiond show`.
public enum RequestRecord {
  /// The ids that a person may mean: a request id, else a transaction id or a notification UUID.
  public static func find(
    _ text: String, on connection: inout Connection
  ) throws(PostgresError) -> [Int64] {
    let number = text.count <= 18 ? Int64(text) : nil
    let rows = try connection.query(
      SQL.requestFind, [.text(text.lowercased()), .int(number)])
    var found: [Int64] = []
    for row in rows { found.append(try row.int64("id")) }
    return found
  }

  /// The view's columns and `tries`, the attempts, as JSON with instants in UTC.
  public static func json(
    _ id: Int64, on connection: inout Connection
  ) throws(PostgresError) -> String? {
    try connection.transaction { connection throws(PostgresError) in
      _ = try connection.query("SELECT set_config('TimeZone', 'UTC', true)")
      return try connection.query(SQL.requestShow, [.int(id)]).first?.string("request")
    }
  }
}
