internal import Decision
internal import PostgreSQL
internal import Schema

/// Finds a source's table and columns in the catalogue, and refuses what cannot be summed or
/// compared exactly.
struct SourceCatalogue {
  let path: String
  let searchPath: String

  func names(
    _ events: EventsTable, on connection: inout Connection
  ) throws(CompilationError) -> TableNames {
    let (key, name) =
      switch events.amount {
      case .cost(let column): ("cost", column)
      case .quantity(let column, _): ("quantity", column)
      }
    return try names(
      Spelling(
        table: events.table, customer: events.customer, time: events.time,
        timeZone: events.timeZone, amountKey: key, amount: name), on: &connection)
  }

  func names(
    _ level: LevelTable, on connection: inout Connection
  ) throws(CompilationError) -> TableNames {
    let spelling = Spelling(
      table: level.table, customer: level.customer, time: level.time, timeZone: level.timeZone,
      amountKey: "level", amount: level.level)
    var names = try names(spelling, on: &connection)
    if let series = level.series {
      names.series = try column(series, "series", spelling, on: &connection).name
    }
    return names
  }

  /// A source's table and columns as the configuration spells them.
  private struct Spelling {
    let table: String
    let customer: String
    let time: String
    let timeZone: String?
    /// The key under which `amount` stands.
    let amountKey: String
    let amount: String
  }

  private func names(
    _ source: Spelling, on connection: inout Connection
  ) throws(CompilationError) -> TableNames {
    let customer = try column(source.customer, "customer", source, on: &connection)
    let time = try column(source.time, "time", source, on: &connection)
    try checkTime(time, source, on: &connection)
    let amount = try column(source.amount, source.amountKey, source, on: &connection)
    guard Self.numbers.contains(amount.type) else {
      throw fault(
        source.amountKey,
        "\(source.amount) has type \(amount.type), expected a number: text is not summed")
    }
    return TableNames(
      table: amount.table, customer: customer.name, time: time.name, amount: amount.name,
      amountIsFloat: ["real", "double precision"].contains(amount.type))
  }

  private static let numbers: Set<String> = [
    "smallint", "integer", "bigint", "numeric", "real", "double precision",
  ]

  private struct FoundColumn {
    let table: String
    let name: String
    let type: String
  }

  private func column(
    _ name: String, _ key: String, _ source: Spelling, on connection: inout Connection
  ) throws(CompilationError) -> FoundColumn {
    let rows: Rows
    do throws(PostgresError) {
      rows = try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("SELECT set_config('search_path', $1, true)", [.text(searchPath)])
        return try connection.query(SQL.catalogColumn, [.text(source.table), .text(name)])
      }
    } catch {
      throw error.mayHeal ? .database(error) : fault("table", error.summary)
    }
    let found = rows.first
    guard let table = try? found?.optionalString("table_name") else {
      throw fault("table", "\(source.table) does not exist, or is not a table or view")
    }
    guard let quoted = try? found?.optionalString("column_name"),
      let type = try? found?.optionalString("column_type")
    else { throw fault(key, "\(source.table) has no column \(name)") }
    return FoundColumn(table: table, name: quoted, type: type)
  }

  /// A date says nothing about the hour, and a timestamp without a zone nothing until it has one.
  private func checkTime(
    _ time: FoundColumn, _ source: Spelling, on connection: inout Connection
  ) throws(CompilationError) {
    switch (time.type, source.timeZone) {
    case ("timestamp with time zone", nil): return
    case ("timestamp with time zone", _?):
      throw fault("timeZone", "\(source.time) is a timestamptz: it has its zone already")
    case ("timestamp without time zone", nil):
      throw fault("time", "\(source.time) has no time zone: say which with timeZone")
    case ("timestamp without time zone", let zone?):
      let known: Bool
      do throws(PostgresError) {
        let rows = try connection.query(
          "SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1) AS known", [.text(zone)])
        known = try rows.first?.bool("known") ?? false
      } catch {
        throw .database(error)
      }
      guard known else { throw fault("timeZone", "\(zone) is not in pg_timezone_names") }
    case (let type, _):
      throw fault("time", "\(source.time) has type \(type), expected timestamptz")
    }
  }

  private func fault(_ key: String, _ message: String) -> CompilationError {
    .fault(QueryFault(path: "\(path).\(key)", message: message))
  }
}
