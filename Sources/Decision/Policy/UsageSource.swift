/// A number as it was written, exactly: a plain decimal that PostgreSQL reads as `numeric`.
///
/// Money never passes through a floating-point number.
public struct ExactDecimal: Sendable, Equatable, CustomStringConvertible {
  public let text: String

  /// Nil when the text is anything but digits with an optional sign and fraction: no exponent, no
  /// NaN, no infinity.
  public init?(_ text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isDigits = { (part: Substring) in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard parts.allSatisfy(isDigits) else { return nil }
    self.text = text
  }

  public var isNegative: Bool {
    text.hasPrefix("-") && text.utf8.contains { (0x31...0x39).contains($0) }
  }

  public var description: String { text }
}

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

/// All usage that counts, in one currency.
public struct UsagePolicy: Sendable, Equatable {
  /// ISO 4217.
  public let currency: String
  public let sources: [UsageSource]

  public init(currency: String, sources: [UsageSource]) {
    self.currency = currency
    self.sources = sources
  }
}
