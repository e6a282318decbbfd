internal import Decision
internal import PostgreSQL

/// A level that holds until the next row, integrated over the window.
///
/// Of each series the newest row at or before the start is carried in, read backwards from an index
/// on (customer, series, time): a few pages, also on a partitioned table, where DISTINCT ON reads
/// everything. The series themselves are walked along the same index. A null, or two rows of one
/// instant in a series, make the source unknown; so does a row of no series, which may hold too.
struct LevelSQL {
  let level: LevelTable
  let names: TableNames
  /// `$1` is the customer, `$2` and `$3` the window's instants; these are the same as the column
  /// compares with them.
  let from: String
  let until: String
  /// Where the zone of a column without one is bound.
  let zone: String?
  /// Where `unit` and `unitCostPerMonth` are bound.
  let unit: String
  let unitCost: String

  /// A month is 730 hours.
  private static let monthSeconds = 2_628_000

  var text: String {
    """
    WITH RECURSIVE \(series),
    p AS (
        \(carried)
        UNION ALL
        \(inside)),
    q AS (
        SELECT p.series, p.at, p.level,
            lead(p.at, 1, $3) OVER (PARTITION BY p.series ORDER BY p.at) AS next,
            p.twins + count(*) OVER (PARTITION BY p.series, p.at) AS twins
        FROM p)
    SELECT 1 AS rows,
        trim_scale(CASE WHEN \(complete) THEN \(sum) / (\(unit) * \(Self.monthSeconds)) END)::text AS quantity,
        trim_scale(CASE WHEN \(complete)
            THEN \(sum) * \(unitCost) / (\(unit) * \(Self.monthSeconds)) END)::text AS cost
    FROM q
    """
  }

  /// Multiplied and summed first, divided once.
  private var sum: String {
    "coalesce(sum(q.level\(names.amountIsFloat ? "::text" : "")::numeric * extract(epoch FROM q.next - q.at)), 0)"
  }

  private var complete: String {
    let clean =
      "count(*) = count(q.level) AND coalesce(bool_and(q.twins = 1), true)"
      + (names.series.map {
        " AND NOT EXISTS (SELECT \(rows) AND t.\($0) IS NULL AND t.\(names.time) < \(until))"
      } ?? "")
    switch level.before {
    case .zero: return clean
    // Every series began before the window, and there is one.
    case .unknown:
      return clean + " AND count(*) > 0 AND count(*) FILTER (WHERE q.at = $2)"
        + (names.series == nil ? " = 1" : " = count(DISTINCT q.series)")
    }
  }

  /// Differences are taken between instants: between local times they would be an hour off when the
  /// clocks change.
  private var instant: String {
    zone.map { "t.\(names.time) AT TIME ZONE \($0)" } ?? "t.\(names.time)"
  }

  private var filter: String { level.filter.map { "\n        AND (\n\($0)\n)" } ?? "" }

  private var rows: String {
    "FROM \(names.table) t WHERE t.\(names.customer) = $1\(filter)"
  }

  private var series: String {
    guard let series = names.series else { return "s (series) AS (SELECT NULL::text)" }
    let first = "SELECT t.\(series) \(rows) AND t.\(names.time) < \(until)"
    return """
      s (series) AS (
          (\(first) AND t.\(series) IS NOT NULL ORDER BY t.\(series) LIMIT 1)
          UNION ALL
          SELECT (\(first) AND t.\(series) > s.series ORDER BY t.\(series) LIMIT 1)
          FROM s WHERE s.series IS NOT NULL)
      """
  }

  private var carried: String {
    let ofSeries = names.series.map { " AND t.\($0) = s.series" } ?? ""
    let twin = names.series.map { " AND u.\($0) = s.series" } ?? ""
    return """
      SELECT s.series, $2 AS at, c.level, c.twins - 1 AS twins
          FROM s CROSS JOIN LATERAL (
              SELECT t.\(names.amount) AS level, (
                  SELECT count(*) FROM (SELECT t.* \(rows)) u
                  WHERE u.\(names.time) = t.\(names.time)\(twin)) AS twins
              \(rows)\(ofSeries) AND t.\(names.time) <= \(from)
              ORDER BY t.\(names.time) DESC LIMIT 1) c
      """
  }

  /// The bounds are compared as the column is, for its index. In the hour that comes twice when
  /// clocks go back a row may lie between them as local time and beyond them as an instant: it would
  /// take time away.
  private var inside: String {
    let instants = zone == nil ? "" : " AND \(instant) > $2 AND \(instant) < $3"
    let bounds = "t.\(names.time) > \(from) AND t.\(names.time) < \(until)\(instants)"
    guard let series = names.series else {
      return "SELECT NULL::text, \(instant), t.\(names.amount), 0\n    \(rows) AND \(bounds)"
    }
    // By series: between customer and time the index has one for each.
    return """
      SELECT s.series, c.at, c.level, 0
          FROM s CROSS JOIN LATERAL (
              SELECT \(instant) AS at, t.\(names.amount) AS level
              \(rows) AND t.\(series) = s.series AND \(bounds)) c
      """
  }
}
