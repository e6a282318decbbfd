import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("A batch of the user's queries") struct IsolationTests {
  private let database: UserDatabase

  init() throws { database = try UserDatabase() }

  private func run(
    _ statements: [Statement], statementTimeout: Duration = .milliseconds(300),
    budget: Duration = .seconds(10), on connection: inout Connection
  ) throws -> [Result<Rows, PostgresError>] {
    try ReadOnlyBatch(
      searchPath: "pg_catalog, public", statementTimeout: statementTimeout, budget: budget
    ).run(statements, on: &connection)
  }

  @Test("One that divides by zero and one that never ends cost themselves alone") func alone()
    throws
  {
    var connection = try database.connect()
    let results = try run(
      [
        "SELECT 1", "SELECT 1/0", "SELECT 2", "SELECT pg_sleep(60)", "SELECT 3", "SELEC",
        "SELECT 4", Statement("SELECT $1::bigint", [.inferred("no number")]),
        Statement("SELECT $1", [.inferred("a\u{0}b")]), "SELECT 5",
      ], on: &connection)
    let shown = results.map { result in
      switch result {
      case .success(let rows): (try? rows.first?.string(0)) ?? ""
      case .failure(let error): error.sqlState ?? "?"
      }
    }
    #expect(
      shown == ["1", "22012", "2", "57014", "3", "42601", "4", "22P02", "22021", "5"])
    let (status, isUsable) = (connection.transactionStatus, connection.isUsable)
    #expect(status == .idle)
    #expect(isUsable)
  }

  @Test("At the end of the time what has not run has not run, and the connection goes on")
  func budget() throws {
    var connection = try database.connect()
    let results = try run(
      ["SELECT 1", "SELECT pg_sleep(60)", "SELECT 2"], statementTimeout: .seconds(30),
      budget: .milliseconds(400), on: &connection)
    guard case .success = results[0], case .failure(let stuck) = results[1] else {
      Issue.record("\(results)")
      return
    }
    #expect(stuck.kind == .timeout)
    #expect(stuck.mayHeal)
    // What was on its way may still have run while the first was being cancelled.
    if case .failure(let waiting) = results[2] {
      #expect(waiting.kind == .notRun)
      #expect(waiting.mayHeal)
    }
    #expect(try connection.value("SELECT 3") == "3")
    let status = connection.transactionStatus
    #expect(status == .idle)
  }

  @Test("Nothing runs when its transaction could not begin") func noTransaction() throws {
    var connection = try database.connect()
    try connection.script(
      """
      CREATE TABLE trace (n integer);
      CREATE FUNCTION leave_trace() RETURNS integer LANGUAGE sql AS
          'INSERT INTO trace VALUES (1) RETURNING n';
      """)
    // A search path that the settings refuse leaves the transaction failed from the start.
    #expect(throws: PostgresError.self) {
      _ = try ReadOnlyBatch(
        searchPath: "public\u{0}", statementTimeout: .seconds(1), budget: .seconds(5)
      ).run(["SELECT leave_trace()"], on: &connection)
    }
    #expect(try connection.value("SELECT count(*) FROM trace") == "0")
  }

  @Test("Settings of server, database and role change no value, and none of ours stays behind")
  func settings() throws {
    let hostile = [
      ("TimeZone", "Pacific/Auckland"), ("DateStyle", "German, DMY"),
      ("IntervalStyle", "sql_standard"), ("search_path", "evil"), ("extra_float_digits", "-15"),
      ("row_security", "on"), ("standard_conforming_strings", "off"),
      ("default_transaction_isolation", "serializable"), ("statement_timeout", "123s"),
    ]
    let role = try database.role(
      hostile.map { "ALTER ROLE $ SET \($0) = \($1 == "German, DMY" ? $1 : "'\($1)'");" }.joined())
    var admin = try database.connect()
    try admin.script(
      """
      CREATE SCHEMA evil;
      CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'evil' $$;
      GRANT USAGE ON SCHEMA evil TO PUBLIC;
      """)
    let statement = Statement(
      """
      SELECT concat_ws(' | ', timestamptz '2026-11-01 12:00:00+00', timestamp '2026-11-01 12:00:00',
          date '2026-02-03', interval '1 day 2 hours', -interval '1 day 2 hours', 0.1::float8,
          16777217::float8, lower('A'), 'a\\b', current_setting('row_security'),
          current_setting('transaction_isolation'), current_setting('transaction_read_only'),
          $1::timestamptz, '2026-11-01'::timestamptz)
      """, [.typed("2026-11-01T00:00:00Z", TypeID.timestamptz)])
    var plain = try database.connect()
    var twisted = try database.connect(as: role)
    #expect(try twisted.value("SHOW TimeZone") == "Pacific/Auckland")
    let first = try run([statement], on: &plain)[0].get()[0].string(0)
    let second = try run([statement], on: &twisted)[0].get()[0].string(0)
    #expect(first == second)
    #expect(
      first
        == "2026-11-01 12:00:00+00 | 2026-11-01 12:00:00 | 2026-02-03 | 1 day 02:00:00 | -1 days -02:00:00 | 0.1 | 16777217 | a | a\\b | off | read committed | on | 2026-11-01 00:00:00+00 | 2026-11-01 00:00:00+00"
    )
    for (name, value) in hostile.filter({ $0.0 != "DateStyle" }) {
      let shown = try twisted.value("SHOW \(name)")
      #expect(shown == value || shown == "2min 3s" || shown == "123s", "\(name): \(shown ?? "")")
    }
  }

  @Test("A query that changes settings changes them for itself alone") func ownSettings() throws {
    var connection = try database.connect()
    let results = try run(
      [
        "SELECT set_config('row_security', 'on', true), set_config('TimeZone', 'Asia/Tokyo', true)",
        "SELECT current_setting('row_security') || current_setting('TimeZone')",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "SELECT current_setting('transaction_read_only')",
      ], on: &connection)
    #expect(try results[1].get()[0].string(0) == "offUTC")
    #expect(try results[3].get()[0].string(0) == "on")
  }

  @Test("Nothing to ask asks nothing") func empty() throws {
    var connection = try database.connect()
    #expect(try run([], on: &connection).isEmpty)
  }
}
