public import PostgreSQL
internal import Schema

/// The right to work on a transaction, for a while.
public enum Leases {
  /// Renews what this process holds. Tokens that are not returned are lost: somebody else may work
  /// on those requests by now.
  public static func renew(
    _ tokens: [String], for lease: Duration, on connection: inout Connection
  ) throws(PostgresError) -> Set<String> {
    var renewed: Set<String> = []
    for row in try connection.query(SQL.leaseRenew, [.uuids(tokens), .interval(lease)]) {
      renewed.insert(try row.string("token"))
    }
    return renewed
  }

  /// Hands unsent work back: it is `queued` again at once.
  public static func release(
    _ tokens: [String], on connection: inout Connection
  ) throws(PostgresError) -> Int {
    try connection.query(SQL.leaseRelease, [.uuids(tokens)]).count
  }

  /// Requeues the requests of workers that are gone. Returns their ids.
  public static func reap(on connection: inout Connection) throws(PostgresError) -> [Int64] {
    var reaped: [Int64] = []
    for row in try connection.query(SQL.leaseReap) { reaped.append(try row.int64("id")) }
    return reaped
  }
}
