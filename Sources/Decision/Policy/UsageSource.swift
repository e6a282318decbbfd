/// Where a part of the usage is recorded.
public struct UsageSource: Sendable, Equatable {
  public enum Measure: Sendable, Equatable {
    case events(EventsTable)
    /// One row: quantity and cost, both `numeric`.
    case query(NamedQuery)
  }

  /// Also the name of two facts: NAME, the quantity, and `NAME_cost`.
  public let name: String
  public let measure: Measure

  public init(name: String, measure: Measure) {
    self.name = name
    self.measure = measure
  }
}
