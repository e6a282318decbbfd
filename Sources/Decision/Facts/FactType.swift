/// A PostgreSQL type that a fact may have.
public enum FactType: String, Sendable, Hashable {
  case numeric
  case text
  case integer
  case boolean
  case interval
}
