internal import AppStore
internal import Decision
internal import PostgreSQL

/// A usage source as PostgreSQL knows it: one row of how many rows it gave, quantity, cost and how
/// fresh it is.
struct CompiledSource: Sendable {
  let name: String
  let sql: String
  let values: [UsageSourceSQL.Value]
  let settle: Duration
  /// Older than that before the end of the window: it cannot tell yet.
  let freshWithin: Duration?
  let environments: Set<AppStore.Environment>

  /// - Throws: when the source's own SQL cannot be cut into tokens; it was described before.
  init(_ source: UsageSource, _ amount: UsageSourceSQL) throws(NamedQueryError) {
    name = source.name
    settle = source.settle
    environments = source.environments
    freshWithin = source.fresh?.within
    guard let fresh = source.fresh else {
      sql = "SELECT a.rows, a.quantity, a.cost, NULL::bigint AS fresh FROM (\n\(amount.sql)\n) a"
      values = amount.values
      return
    }
    let newest = try PositionalSQL.shifted(fresh.query.sql, by: amount.values.count)
    sql = """
      SELECT a.rows, a.quantity, a.cost,
          (SELECT (extract(epoch FROM max(f.at)) * 1000000)::bigint FROM (
      \(newest)
      ) f(at)) AS fresh
      FROM (
      \(amount.sql)
      ) a
      """
    values = amount.values + fresh.query.parameters.map(UsageSourceSQL.Value.parameter)
  }

  func statement(_ purchase: PurchaseValues) -> Statement {
    Statement(sql, values.flatMap { $0.bound(purchase) })
  }

  /// All sources of one purchase as one statement with one row: `rows_0, quantity_0 … fresh_n`.
  static func together(
    _ sources: [CompiledSource], _ purchase: PurchaseValues
  ) throws(NamedQueryError) -> Statement {
    var columns: [String] = []
    var relations: [String] = []
    var parameters: [Parameter] = []
    for (index, source) in sources.enumerated() {
      for column in ["rows", "quantity", "cost", "fresh"] {
        columns.append("s\(index).\(column) AS \(column)_\(index)")
      }
      relations.append(
        "(\n\(try PositionalSQL.shifted(source.sql, by: parameters.count))\n) s\(index)")
      parameters += source.values.flatMap { $0.bound(purchase) }
    }
    return Statement(
      "SELECT \(columns.joined(separator: ", "))\nFROM \(relations.joined(separator: ",\n"))",
      parameters)
  }

  /// What the source's columns in `row` say; `suffix` is `_n` in a statement of several.
  func usage(
    _ row: Row?, suffix: String = "", until: Instant
  ) throws(PostgresError) -> (usage: SourceUsage, isStale: Bool) {
    guard let row else { return (SourceUsage(source: name, unknown: .rows(0)), false) }
    let count = try row.int("rows" + suffix)
    guard count == 1 else { return (SourceUsage(source: name, unknown: .rows(count)), false) }
    if let freshWithin {
      let newest = try row.optionalInt64("fresh" + suffix).map(Instant.init(microseconds:))
      guard let newest, newest >= until - freshWithin else {
        return (SourceUsage(source: name, unknown: .stale), true)
      }
    }
    return (
      SourceUsage(
        source: name, quantity: try row.optionalString("quantity" + suffix),
        cost: try row.optionalString("cost" + suffix)), false
    )
  }
}

extension UsageSourceSQL.Value {
  func bound(_ purchase: PurchaseValues) -> [Parameter] {
    switch self {
    case .parameter(let parameter): purchase.bound([parameter])
    case .constant(let text, let type): [.typed(text, type)]
    }
  }
}
