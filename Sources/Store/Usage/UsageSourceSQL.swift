internal import Decision
internal import PostgreSQL

/// A usage source as one statement with one row: how many rows the source gave, quantity, cost.
struct UsageSourceSQL: Sendable {
  enum Value: Sendable {
    case parameter(QueryParameter)
    case constant(String, type: UInt32)
  }

  let sql: String
  let values: [Value]

  /// The user's own SQL. Another number of rows than one is unknown.
  init(query: NamedQuery) {
    sql = """
      SELECT pg_catalog.count(*) AS rows,
          pg_catalog.trim_scale(pg_catalog.min(q.quantity)::text::numeric)::text AS quantity,
          pg_catalog.trim_scale(pg_catalog.min(q.cost)::text::numeric)::text AS cost
      FROM (
      \(query.sql)
      ) q(quantity, cost)
      """
    values = query.parameters.map(Value.parameter)
  }

  /// Rows of a table. A null in a column that is summed makes the source unknown, no rows make it 0.
  ///
  /// The bounds are instants; for a column without a zone the bound is converted and not the column,
  /// so that its index is used.
  init(events: EventsTable, names: TableNames) {
    var (values, from, until) = Self.bounds(events.timeZone)
    let amount =
      names.amountIsFloat ? "t.\(names.amount)::text::numeric" : "t.\(names.amount)"
    let complete = "pg_catalog.count(*) = pg_catalog.count(\(amount))"
    let sum = "coalesce(pg_catalog.sum(\(amount))::numeric, 0)"
    let quantity: String
    let cost: String
    switch events.amount {
    case .cost:
      quantity = "pg_catalog.count(*)"
      cost = sum
    case .quantity(_, let unitCost):
      values.append(.constant(unitCost.text, type: TypeID.numeric))
      quantity = sum
      cost = "\(sum) * $\(values.count)"
    }
    let filter = events.filter.map { "\n    AND (\n\($0)\n)" } ?? ""
    sql = """
      SELECT 1 AS rows,
          pg_catalog.trim_scale((CASE WHEN \(complete) THEN \(quantity) END)::numeric)::text AS quantity,
          pg_catalog.trim_scale((CASE WHEN \(complete) THEN \(cost) END)::numeric)::text AS cost
      FROM \(names.table) t
      WHERE t.\(names.customer) = $1 AND t.\(names.time) >= \(from) AND t.\(names.time) < \(until)\(filter)
      """
    self.values = values
  }

  /// A level, integrated.
  init(level: LevelTable, names: TableNames) {
    var (values, from, until) = Self.bounds(level.timeZone)
    values.append(.constant(level.unit.text, type: TypeID.numeric))
    values.append(.constant(level.unitCostPerMonth.text, type: TypeID.numeric))
    sql =
      LevelSQL(
        level: level, names: names, from: from, until: until,
        zone: level.timeZone == nil ? nil : "$4", unit: "$\(values.count - 1)",
        unitCost: "$\(values.count)"
      ).text
    self.values = values
  }

  /// Customer and window as the first parameters.
  private static func bounds(
    _ timeZone: String?
  ) -> (values: [Value], from: String, until: String) {
    let values: [Value] = [.parameter(.customer), .parameter(.from), .parameter(.until)]
    guard let timeZone else { return (values, "$2", "$3") }
    return (
      values + [.constant(timeZone, type: TypeID.text)], "($2 AT TIME ZONE $4)",
      "($3 AT TIME ZONE $4)"
    )
  }
}

/// Names of the user's table as the catalogue spells and quotes them.
struct TableNames: Sendable {
  let table: String
  let customer: String
  let time: String
  /// What is summed or integrated.
  let amount: String
  /// Tells several levels of one customer apart.
  var series: String? = nil
  /// A float is summed as the numeric that it prints as: sums of floats depend on their order, and
  /// a cast alone keeps 6 digits of a real and 15 of a double precision.
  let amountIsFloat: Bool
}
