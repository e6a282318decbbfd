/// What is known of a fact that PostgreSQL computes.
public enum FactStatus: Sendable, Hashable {
  /// All that it is computed from is known.
  case known
  case notApplicable
  case unknown
}
