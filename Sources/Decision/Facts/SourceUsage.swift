/// What one source said about one period.
public struct SourceUsage: Sendable, Equatable {
  /// Why a source cannot tell.
  public enum Ignorance: Sendable, Equatable {
    /// It was not asked: the period has no window.
    case noWindow
    /// A row without a value, or with NaN or an infinity.
    case noNumber
    /// Not one row but another number of them.
    case rows(Int)
    /// Row-level security would hide rows from us.
    case hiddenRows
    /// No permission on a table or function.
    case permission
    /// The time for the query was used up.
    case timeout
    /// PostgreSQL refused or failed; its SQLSTATE.
    case error(sqlState: String)
    /// Rows may still arrive.
    case settling
    /// What the source has heard of is not new enough.
    case stale
    /// The database was not reachable.
    case unavailable
  }

  public let source: String
  public let quantity: FactValue
  public let cost: FactValue
  /// Why either is unknown.
  public let ignorance: Ignorance?

  /// - Parameters:
  ///   - quantity: PostgreSQL's text of a `numeric`, or nil for null.
  ///   - cost: the same, in the usage currency.
  public init(source: String, quantity: String?, cost: String?) {
    self.source = source
    self.quantity = .number(quantity)
    self.cost = .number(cost)
    ignorance = self.quantity == .unknown || self.cost == .unknown ? .noNumber : nil
  }

  /// A source that could not tell: both its facts are unknown, never 0.
  public init(source: String, unknown ignorance: Ignorance) {
    self.source = source
    quantity = .unknown
    cost = .unknown
    self.ignorance = ignorance
  }

  /// A source that does not count where the purchase was made: its facts do not apply.
  public init(notApplicable source: String) {
    self.source = source
    quantity = .notApplicable
    cost = .notApplicable
    ignorance = nil
  }
}
