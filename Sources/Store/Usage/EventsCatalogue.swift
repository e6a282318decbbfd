internal import Decision
internal import PostgreSQL
internal import Schema

/// Finds an events source's table and columns in the catalogue, and refuses what cannot be summed
/// or compared exactly.
struct EventsCatalogue {
  let path: String
  let searchPath: String

  func names(
    _ events: EventsTable, on connection: inout Connection
  ) throws(CompilationError) -> TableNames {
    let customer = try column(events.customer, "customer", events, on: &connection)
    let time = try column(events.time, "time", events, on: &connection)
    try checkTime(time, events, on: &connection)
    let (key, name) =
      switch events.amount {
      case .cost(let column): ("cost", column)
      case .quantity(let column, _): ("quantity", column)
      }
    let amount = try column(name, key, events, on: &connection)
    guard Self.numbers.contains(amount.type) else {
      throw fault(key, "\(name) has type \(amount.type), expected a number: text is not summed")
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
    _ name: String, _ key: String, _ events: EventsTable, on connection: inout Connection
  ) throws(CompilationError) -> FoundColumn {
    let rows: Rows
    do throws(PostgresError) {
      rows = try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("SELECT set_config('search_path', $1, true)", [.text(searchPath)])
        return try connection.query(SQL.catalogColumn, [.text(events.table), .text(name)])
      }
    } catch {
      throw error.mayHeal ? .database(error) : fault("table", error.summary)
    }
    let found = rows.first
    guard let table = try? found?.optionalString("table_name") else {
      throw fault("table", "\(events.table) does not exist, or is not a table or view")
    }
    guard let quoted = try? found?.optionalString("column_name"),
      let type = try? found?.optionalString("column_type")
    else { throw fault(key, "\(events.table) has no column \(name)") }
    return FoundColumn(table: table, name: quoted, type: type)
  }

  /// A date says nothing about the hour, and a timestamp without a zone nothing until it has one.
  private func checkTime(
    _ time: FoundColumn, _ events: EventsTable, on connection: inout Connection
  ) throws(CompilationError) {
    switch (time.type, events.timeZone) {
    case ("timestamp with time zone", nil): return
    case ("timestamp with time zone", _?):
      throw fault("timeZone", "\(events.time) is a timestamptz: it has its zone already")
    case ("timestamp without time zone", nil):
      throw fault("time", "\(events.time) has no time zone: say which with timeZone")
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
      throw fault("time", "\(events.time) has type \(type), expected timestamptz")
    }
  }

  private func fault(_ key: String, _ message: String) -> CompilationError {
    .fault(QueryFault(path: "\(path).\(key)", message: message))
  }
}
