public import PostgreSQL
internal import Schema

/// The name of the installation that a database belongs to. A copy carries the name of its
/// original, and must not answer Apple beside it.
public enum Instance {
  /// The database's stamp; without one it is stamped with `name`. Nil when neither is there.
  public static func stamp(
    _ name: String?, on connection: inout Connection
  ) throws(PostgresError) -> String? {
    try connection.query(SQL.instanceStamp, [.text(name)]).first?.string("name")
  }

  /// Takes a copied database over.
  ///
  /// - Parameter cancelOpen: cancels what is open: the original answers it.
  /// - Returns: how many were cancelled.
  public static func adopt(
    _ name: String, cancelOpen: Bool, on connection: inout Connection
  ) throws(PostgresError) -> Int {
    try connection.transaction { connection throws(PostgresError) in
      let rows = try connection.query(SQL.instanceAdopt, [.text(name), .bool(cancelOpen)])
      return try rows.first?.int("cancelled") ?? 0
    }
  }
}
