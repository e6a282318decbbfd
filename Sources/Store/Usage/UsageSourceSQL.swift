internal import Decision
internal import PostgreSQL

/// A usage source as one statement with one row: how many rows the source gave, quantity, cost.
struct UsageSourceSQL: Sendable {
  enum Value: Sendable {
    case parameter(QueryParameter)
    case constant(String, type: UInt32)
  }

  let name: String
  let sql: String
  let values: [Value]

  func statement(_ purchase: PurchaseValues) -> Statement {
    Statement(
      sql,
      values.flatMap { value -> [Parameter] in
        switch value {
        case .parameter(let parameter): purchase.bound([parameter])
        case .constant(let text, let type): [.typed(text, type)]
        }
      })
  }

  /// The user's own SQL. Another number of rows than one is unknown.
  init(name: String, query: NamedQuery) {
    self.name = name
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
  init(name: String, events: EventsTable, names: TableNames) {
    self.name = name
    var values: [Value] = [.parameter(.customer), .parameter(.from), .parameter(.until)]
    var from = "$2"
    var until = "$3"
    if let zone = events.timeZone {
      values.append(.constant(zone, type: TypeID.text))
      from = "($2 AT TIME ZONE $4)"
      until = "($3 AT TIME ZONE $4)"
    }
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
}

/// Names of the user's table as the catalogue spells and quotes them.
struct TableNames: Sendable {
  let table: String
  let customer: String
  let time: String
  let amount: String
  /// A float is summed as the numeric that it prints as: sums of floats depend on their order, and
  /// a cast alone keeps 6 digits of a real and 15 of a double precision.
  let amountIsFloat: Bool
}
