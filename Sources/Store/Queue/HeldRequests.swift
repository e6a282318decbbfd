internal import AppStore
public import PostgreSQL
internal import Schema

/// Requests that nobody may answer yet. They are looked at in batches, beside the workers.
public enum HeldRequests {
  /// Takes those that are due a look; their next look is committed first.
  ///
  /// - Parameters:
  ///   - served: those alone: another daemon's queries know other customers.
  ///   - decideBy: how long before production's deadline the last look but one is; Sandbox's is
  ///     nearer.
  public static func take(
    _ served: [Requests.Served], atMost limit: Int, decideBy: Duration,
    on connection: inout Connection
  ) throws(PostgresError) -> [Requests.Claim] {
    let rows = try connection.query(
      SQL.heldTake,
      [
        .int(limit), .interval(decideBy), .array(served.map(\.bundleId)),
        .array(served.map(\.environment.rawValue)),
      ])
    var taken: [Requests.Claim] = []
    // A held request has no lease: nobody works on it.
    for row in rows { taken.append(Requests.Claim(id: try row.int64("id"), token: "")) }
    return taken
  }

  /// Nothing keeps it any more: a worker may have it.
  public static func release(_ id: Int64) -> Statement {
    Statement(SQL.heldUpdate, [.int(id), "queued", nil, nil])
  }

  /// It stays held, for this reason now.
  public static func keep(_ id: Int64, reason: String) -> Statement {
    Statement(SQL.heldUpdate, [.int(id), "held", .text(reason), nil])
  }

  /// It stays held as it was; the look itself failed.
  public static func note(_ id: Int64, error: String?) -> Statement {
    Statement(SQL.heldUpdate, [.int(id), "held", nil, .text(error)])
  }
}
