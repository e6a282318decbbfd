public import PostgreSQL

/// Why the configuration's SQL could not be made ready.
public enum CompilationError: Error, Sendable {
  /// The database could not tell: try again.
  case database(PostgresError)
  /// The configuration must change, or a grant.
  case fault(QueryFault)
}
