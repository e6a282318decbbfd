/// A table of the user's in which each row is a level that holds until the next row: bytes stored,
/// seats taken. It is integrated over the period.
public struct LevelTable: Sendable, Equatable {
  /// What held before the first row that is known. There is no safe default: a table that was
  /// introduced yesterday and a customer who stored nothing look the same.
  public enum Before: String, Sendable, CaseIterable {
    /// Nothing was stored.
    case zero
    /// Nobody knows: without a row at or before the start the source is unknown.
    case unknown
  }

  /// As PostgreSQL's `to_regclass` reads it.
  public let table: String
  public let customer: String
  public let time: String
  /// The zone of a `time` column without one, as `pg_timezone_names` knows it.
  public let timeZone: String?
  public let level: String
  /// The column that tells several levels of one customer apart; nil when there is one.
  public let series: String?
  public let before: Before
  /// How much of the level is one unit of the quantity: 1073741824 for bytes and GiB.
  public let unit: ExactDecimal
  /// What one unit costs for a month of 730 hours, in the usage currency.
  public let unitCostPerMonth: ExactDecimal
  /// A boolean SQL expression over the table's columns; rows for which it is not true do not count.
  public let filter: String?

  public init(
    table: String, customer: String, time: String, timeZone: String? = nil, level: String,
    series: String? = nil, before: Before, unit: ExactDecimal, unitCostPerMonth: ExactDecimal,
    filter: String? = nil
  ) {
    self.table = table
    self.customer = customer
    self.time = time
    self.timeZone = timeZone
    self.level = level
    self.series = series
    self.before = before
    self.unit = unit
    self.unitCostPerMonth = unitCostPerMonth
    self.filter = filter
  }
}
