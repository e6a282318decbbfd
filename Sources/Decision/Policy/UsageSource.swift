public import AppStore

/// Where a part of the usage is recorded.
public struct UsageSource: Sendable, Equatable {
  public enum Measure: Sendable, Equatable {
    case events(EventsTable)
    case level(LevelTable)
    /// One row: quantity and cost, both `numeric`.
    case query(NamedQuery)
  }

  /// Tells whether the source has heard of everything until an instant.
  public struct Freshness: Sendable, Equatable {
    /// One row, one timestamptz: the newest that is known.
    public let query: NamedQuery
    /// Older than that before the end of the window: the source cannot tell yet.
    public let within: Duration

    public init(query: NamedQuery, within: Duration) {
      self.query = query
      self.within = within
    }
  }

  /// Also the name of two facts: NAME, the quantity, and `NAME_cost`.
  public let name: String
  public let measure: Measure
  /// Rows may arrive this late: the source is read when so much time has passed since the end of
  /// the window.
  public let settle: Duration
  public let fresh: Freshness?
  /// Elsewhere the source does not apply.
  public let environments: Set<AppStore.Environment>

  public init(
    name: String, measure: Measure, settle: Duration = .zero, fresh: Freshness? = nil,
    environments: Set<AppStore.Environment> = Set(AppStore.Environment.allCases)
  ) {
    self.name = name
    self.measure = measure
    self.settle = settle
    self.fresh = fresh
    self.environments = environments
  }
}
