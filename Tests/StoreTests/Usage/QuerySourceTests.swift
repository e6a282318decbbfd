import AppStore
import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Usage from a query") struct QuerySourceTests {
  private let database: UserDatabase

  init() throws { database = try UserDatabase() }

  private func source(_ name: String, _ query: String) throws -> UsageSource {
    UsageSource(name: name, measure: .query(try NamedQuery(query)))
  }

  private func read(
    _ queries: [String], customers: [String] = ["1"], statementTimeout: Duration = .seconds(5),
    budget: Duration = .seconds(20)
  ) throws -> [UsageReader.Reading] {
    var connection = try database.connect()
    let sources = try queries.enumerated().map { try source("s\($0.offset)", $0.element) }
    let compiled = try UserDatabase.compile(sources: sources, on: &connection)
    return try compiled.usage.read(
      try customers.map { try .sample(customer: $0) }, alone: false,
      batch: ReadOnlyBatch(
        searchPath: "pg_catalog, public", statementTimeout: statementTimeout, budget: budget),
      on: &connection)
  }

  @Test("One row is an answer; none and two are unknown") func rows() throws {
    for (query, expected) in [
      ("SELECT 3, 0.30", SourceUsage(source: "s0", quantity: "3", cost: "0.3")),
      ("SELECT 3, 0.30 WHERE false", SourceUsage(source: "s0", unknown: .rows(0))),
      ("VALUES (1, 2), (1, 2)", SourceUsage(source: "s0", unknown: .rows(2))),
      ("SELECT NULL::numeric, 5", SourceUsage(source: "s0", quantity: nil, cost: "5")),
      ("SELECT 5, NULL::numeric", SourceUsage(source: "s0", quantity: "5", cost: nil)),
      (
        "SELECT 'NaN'::float8, 'Infinity'::numeric",
        SourceUsage(source: "s0", quantity: "NaN", cost: "NaN")
      ),
      (
        "SELECT 16777217::float8, 1234567::real",
        SourceUsage(source: "s0", quantity: "16777217", cost: "1234567")
      ),
      (
        "SELECT 0.1::float8 + 0.2::float8, 1e-7::float8",
        SourceUsage(source: "s0", quantity: "0.30000000000000004", cost: "0.0000001")
      ),
      ("SELECT 1, 2; -- done", SourceUsage(source: "s0", quantity: "1", cost: "2")),
    ] {
      #expect(try read([query])[0].sources == [expected], "\(query)")
    }
  }

  @Test("The window's instants arrive as instants beside every kind of column") func window() throws
  {
    var connection = try database.connect()
    try connection.script(
      """
      CREATE TABLE usage (owner text, at timestamptz, local timestamp);
      INSERT INTO usage VALUES ('1', '2026-11-01 00:00Z', '2026-11-01 00:00'),
          ('1', '2026-11-30 23:59:59Z', '2026-11-30 23:59:59'),
          ('1', '2026-12-01 00:00Z', '2026-12-01 00:00'), ('2', '2026-11-02', '2026-11-02');
      """)
    for column in ["at", "local"] {
      let query =
        "SELECT count(*), count(*) * 0.5 FROM usage WHERE owner = $customer AND \(column) >= $from AND \(column) < $until"
      #expect(
        try read([query])[0].sources == [SourceUsage(source: "s0", quantity: "2", cost: "1")],
        "\(column)")
    }
  }

  @Test("One parameter may be another type in each source") func types() throws {
    var connection = try database.connect()
    try connection.script(
      "CREATE TABLE a (owner bigint); CREATE TABLE b (owner text); INSERT INTO a VALUES (1); INSERT INTO b VALUES ('1')"
    )
    let readings = try read([
      "SELECT count(*), 1 FROM a WHERE owner = $customer",
      "SELECT count(*), 1 FROM b WHERE owner = $customer",
      "SELECT length($customer), 1 WHERE $environment = 'Production' AND $product_id = 'pro.monthly'",
    ])
    #expect(readings[0].sources.allSatisfy { $0.quantity == .known("1") })
  }

  @Test("Each source fails alone, and says whether asking again may help") func alone() throws {
    let readings = try read(
      [
        "SELECT 1, 1", "SELECT 1, 1 / (length($customer) - 1)",
        "SELECT 1, 1 WHERE pg_sleep(CASE $customer WHEN '22' THEN 60 ELSE 0 END) IS NOT NULL",
        "SELECT 2, 2",
      ], customers: ["1", "22", "333"], statementTimeout: .milliseconds(300))
    #expect(
      readings[0].sources.map(\.ignorance) == [nil, .error(sqlState: "22012"), nil, nil])
    #expect(readings[1].sources.map(\.ignorance) == [nil, nil, .timeout, nil])
    #expect(readings[2].sources.map(\.ignorance) == [nil, nil, nil, nil])
    // A division by zero stays one; a timeout may not.
    #expect(readings[0].healing == nil)
    #expect(readings[1].healing?.hasPrefix("usage.s2: ") == true)
    #expect(readings[2].sources[3] == SourceUsage(source: "s3", quantity: "2", cost: "2"))
  }

  @Test("What a source cannot be is refused with its path") func refused() throws {
    var connection = try database.connect()
    for (query, message) in [
      ("SELECT 1", "found 1 columns, expected two: quantity, cost"),
      ("SELECT 1, 2, 3", "found 3 columns, expected two: quantity, cost"),
      ("SELECT 1, '2'", "column 2 (?column?) is not a number, expected numeric"),
      ("SELECT now(), 2", "column 1 (now) is not a number, expected numeric"),
      ("SELECT 1, NULL", "column 2 (?column?) is not a number, expected numeric"),
      ("SELECT 1, 2::money", "column 2 (money) is not a number, expected numeric"),
      ("SELECT 1, x FROM nowhere", "SQLSTATE 42P01, relation \"nowhere\" does not exist"),
    ] {
      #expect(
        try UserDatabase.fault(sources: [try source("s", query)], on: &connection)
          == "usage.sources[0].query: \(message)")
    }
  }

  @Test("Without a window nothing is asked and all is unknown") func noWindow() throws {
    var connection = try database.connect()
    let compiled = try UserDatabase.compile(
      sources: [try source("a", "SELECT 1, 1")], on: &connection)
    let question = UsageReader.Question(
      values: try .sample(customer: "1"), environment: .production, window: nil, now: .now())
    let readings = try compiled.usage.read(
      [question], alone: false, batch: UserDatabase.batch, on: &connection)
    #expect(readings.map(\.sources) == [[SourceUsage(source: "a", unknown: .noWindow)]])
  }
}
