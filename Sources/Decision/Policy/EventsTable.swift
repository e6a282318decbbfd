/// A table of the user's in which each row is an event.
public struct EventsTable: Sendable, Equatable {
  /// What an event's row says of its cost.
  public enum Amount: Sendable, Equatable {
    /// A column with the cost itself, in the usage currency.
    case cost(column: String)
    /// A column with a quantity, and what one of it costs in the usage currency.
    case quantity(column: String, unitCost: ExactDecimal)
  }

  /// As PostgreSQL's `to_regclass` reads it.
  public let table: String
  public let customer: String
  public let time: String
  /// The zone of a `time` column without one, as `pg_timezone_names` knows it.
  public let timeZone: String?
  public let amount: Amount
  /// A boolean SQL expression over the table's columns; rows for which it is not true do not count.
  public let filter: String?

  public init(
    table: String, customer: String, time: String, timeZone: String? = nil, amount: Amount,
    filter: String? = nil
  ) {
    self.table = table
    self.customer = customer
    self.time = time
    self.timeZone = timeZone
    self.amount = amount
    self.filter = filter
  }
}
