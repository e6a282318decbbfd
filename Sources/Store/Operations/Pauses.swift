public import PostgreSQL
internal import Schema

/// While a pause lasts nothing is claimed and nothing sent; requests keep their deadlines.
public enum Pauses {
  public struct Pause: Sendable, Equatable {
    /// Nil: for all apps.
    public let bundleId: String?
    public let person: String
    public let note: String
    public let seconds: Int64
  }

  /// Returns false when it is paused already.
  public static func begin(
    _ bundleId: String?, by person: String, note: String?, on connection: inout Connection
  ) throws(PostgresError) -> Bool {
    try !connection.query(SQL.pauseSet, [.text(bundleId), .text(person), .text(note)]).isEmpty
  }

  /// Returns false when it was not paused.
  public static func end(
    _ bundleId: String?, on connection: inout Connection
  ) throws(PostgresError) -> Bool {
    try !connection.query(SQL.pauseEnd, [.text(bundleId)]).isEmpty
  }

  public static func all(on connection: inout Connection) throws(PostgresError) -> [Pause] {
    var pauses: [Pause] = []
    for row in try connection.query(SQL.pauseList) {
      let bundleId = try row.string("bundle_id")
      pauses.append(
        Pause(
          bundleId: bundleId.isEmpty ? nil : bundleId, person: try row.string("by_whom"),
          note: try row.string("note"), seconds: try row.int64("seconds")))
    }
    return pauses
  }
}
