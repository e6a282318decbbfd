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

  /// The database's stamp, read and nothing more; nil without one.
  public static func current(
    on connection: inout Connection
  ) throws(PostgresError) -> String? {
    try connection.query("SELECT name FROM consumptiond.instance").first?.string("name")
  }

  /// What taking a database over did.
  public struct Adoption: Sendable, Equatable {
    /// The stamp before.
    public let from: String?
    /// Open requests that were cancelled, and payloads that nobody will read.
    public let cancelled: Int
    public let unread: Int
    /// Open requests that this instance answers from now on.
    public let open: Int
  }

  /// Takes a copied database over.
  ///
  /// - Parameter cancelOpen: cancels what is open, and reads nothing of what is unread: the original
  ///   answers it.
  public static func adopt(
    _ name: String, cancelOpen: Bool, on connection: inout Connection
  ) throws(PostgresError) -> Adoption {
    try connection.transaction { connection throws(PostgresError) in
      let before = try current(on: &connection)
      let rows = try connection.query(SQL.instanceAdopt, [.text(name), .bool(cancelOpen)])
      guard let row = rows.first else { throw PostgresError.missingRow("instance_adopt") }
      return Adoption(
        from: before, cancelled: try row.int("cancelled"), unread: try row.int("unread"),
        open: try row.int("open"))
    }
  }
}
