public import Decision
public import PostgreSQL
internal import Schema

/// What a person may do to one request. Each returns false when the request's state does not let
/// it: final states are never left, and one that a worker holds is the worker's.
public enum Interventions {
  /// Ready at once instead of later.
  ///
  /// - Parameter redecide: computes anew; only while nothing has gone out.
  public static func retry(
    _ id: Int64, redecide: Bool, on connection: inout Connection
  ) throws(PostgresError) -> Bool {
    try !connection.query(SQL.requestRetry, [.int(id), .bool(redecide)]).isEmpty
  }

  /// Ends it: nothing is sent.
  public static func cancel(
    _ id: Int64, by person: String, on connection: inout Connection
  ) throws(PostgresError) -> Bool {
    try !connection.query(SQL.requestCancel, [.int(id), .text(person)]).isEmpty
  }

  /// A person's word about its transaction goes before the rules; only while nothing has gone out.
  public static func override(
    _ id: Int64, _ choice: Choice, by person: String, note: String?,
    on connection: inout Connection
  ) throws(PostgresError) -> Bool {
    try !connection.query(
      SQL.overrideSet,
      [.int(id), .text(choice.rawValue), .text(person), .text(note)]
    ).isEmpty
  }
}
