public import PostgreSQL

/// A query or rule of the configuration that cannot be used: the key's path, and what is wrong.
public struct QueryFault: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  public let message: String

  public var description: String { "\(path): \(message)" }
}

/// Why the configuration's SQL could not be made ready.
public enum CompilationError: Error, Sendable {
  /// The database could not tell: try again.
  case database(PostgresError)
  /// The configuration must change, or a grant.
  case fault(QueryFault)
}
