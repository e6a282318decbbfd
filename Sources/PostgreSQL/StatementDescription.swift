/// A column of a result.
public struct Column: Sendable, Equatable {
  public let name: String
  /// The Oid of its type (`TypeID`).
  public let type: UInt32

  public init(name: String, type: UInt32) {
    self.name = name
    self.type = type
  }
}

/// What PostgreSQL says about a statement before it runs.
public struct StatementDescription: Sendable, Equatable {
  /// The Oids of `$1`, `$2`, …, inferred where they were not given.
  public let parameterTypes: [UInt32]
  /// Empty when the statement returns no rows.
  public let columns: [Column]
}
