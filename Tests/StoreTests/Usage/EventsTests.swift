import AppStore
import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

/// The start of the sample's period is 2026-11-01 00:00:00 UTC, its end 2026-12-01 00:00:00 UTC.
@Suite("Usage from a table of events") struct EventsTests {
  private let database: UserDatabase

  init() throws { database = try UserDatabase() }

  private func decimal(_ text: String) throws -> ExactDecimal {
    try #require(ExactDecimal(text))
  }

  private func source(
    table: String = "event", customer: String = "customer", time: String = "at",
    zone: String? = nil, cost: String? = nil, quantity: String? = nil, unitCost: String = "1",
    filter: String? = nil
  ) throws -> UsageSource {
    let amount: EventsTable.Amount =
      if let quantity {
        .quantity(column: quantity, unitCost: try decimal(unitCost))
      } else {
        .cost(column: cost ?? "cost")
      }
    return UsageSource(
      name: "events",
      measure: .events(
        EventsTable(
          table: table, customer: customer, time: time, timeZone: zone, amount: amount,
          filter: filter)))
  }

  /// What a source says of a customer in the sample's period.
  private func read(
    _ source: UsageSource, customer: String = "1", as user: String = "postgres",
    searchPath: String = "pg_catalog, public"
  ) throws -> SourceUsage? {
    var connection = try database.connect(as: user)
    let queries = try UserDatabase.compile(
      sources: [source], searchPath: searchPath, on: &connection)
    return try queries.usage.read(
      [try .sample(customer: customer)], alone: false,
      batch: ReadOnlyBatch(
        searchPath: searchPath, statementTimeout: .seconds(5), budget: .seconds(20)),
      on: &connection
    ).first?.sources.first
  }

  private func script(_ sql: String) throws {
    var connection = try database.connect()
    try connection.script(sql)
  }

  private func known(_ quantity: String, _ cost: String) -> SourceUsage {
    SourceUsage(source: "events", quantity: quantity, cost: cost)
  }

  private func unknown(_ why: SourceUsage.Ignorance) -> SourceUsage {
    SourceUsage(source: "events", unknown: why)
  }

  @Test("Costs add up exactly: 0.1 + 0.2 is 0.3") func exact() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, cost numeric, units integer);
      INSERT INTO event VALUES (1, '2026-11-05', 0.1, 1), (1, '2026-11-06', 0.2, 2),
          (2, '2026-11-06', 99, 99);
      """)
    #expect(try read(try source()) == known("2", "0.3"))
    #expect(try read(try source(), customer: "2") == known("1", "99"))
    #expect(
      try read(try source(quantity: "units", unitCost: "0.05")) == known("3", "0.15"))
  }

  @Test("300 times 0.05 is 15, whatever numbers the quantity is made of") func quantities() throws {
    for type in ["smallint", "integer", "bigint", "numeric", "real", "double precision"] {
      try script(
        """
        DROP TABLE IF EXISTS event;
        CREATE TABLE event (customer bigint, at timestamptz, units \(type));
        INSERT INTO event SELECT 1, '2026-11-05', 1 FROM generate_series(1, 300);
        """)
      #expect(
        try read(try source(quantity: "units", unitCost: "0.05")) == known("300", "15"), "\(type)")
    }
  }

  @Test("A float counts as the number that it prints as") func floats() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, real real, double float8);
      INSERT INTO event VALUES (1, '2026-11-05', 0.1, 0.1), (1, '2026-11-05', 0.2, 0.2),
          (1, '2026-11-05', 1234567, 1234567890.1234567);
      """)
    #expect(
      try read(try source(quantity: "real", unitCost: "1")) == known("1234567.3", "1234567.3"))
    #expect(
      try read(try source(quantity: "double", unitCost: "1"))
        == known("1234567890.4234567", "1234567890.4234567"))
    // A setting for shorter floats is none of its business.
    let role = try database.role(
      "GRANT SELECT ON event TO $; ALTER ROLE $ SET extra_float_digits = '-10'")
    #expect(
      try read(try source(quantity: "real", unitCost: "1"), as: role)
        == known("1234567.3", "1234567.3"))
  }

  @Test("The period is half open: its start counts, its end does not") func boundaries() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, cost numeric);
      INSERT INTO event VALUES (1, '2026-10-31 23:59:59.999999+00', 1000),
          (1, '2026-11-01 00:00:00+00', 1), (1, '2026-11-30 23:59:59.999999+00', 2),
          (1, '2026-12-01 00:00:00+00', 4000);
      """)
    #expect(try read(try source()) == known("2", "3"))
  }

  @Test("No rows are 0; a null is unknown; so are NaN and the infinities") func unknowns() throws {
    try script(
      "CREATE TABLE event (customer bigint, at timestamptz, cost numeric, units float8)")
    #expect(try read(try source()) == known("0", "0"))
    #expect(try read(try source(quantity: "units", unitCost: "2")) == known("0", "0"))
    for value in ["NULL", "'NaN'", "'Infinity'", "'-Infinity'"] {
      try script(
        """
        TRUNCATE event;
        INSERT INTO event VALUES (1, '2026-11-05', 1, 1), (1, '2026-11-05', \(value), \(value));
        """)
      for source in [try source(), try source(quantity: "units", unitCost: "2")] {
        let usage = try read(source)
        #expect(usage?.cost == .unknown, "\(value)")
        #expect(usage?.ignorance == .noNumber, "\(value)")
      }
    }
    // Outside of what counts a null does no harm.
    try script(
      """
      TRUNCATE event;
      INSERT INTO event VALUES (1, '2026-11-05', 1, 1), (1, '2026-10-05', NULL, NULL),
          (2, '2026-11-05', NULL, NULL);
      """)
    #expect(try read(try source()) == known("1", "1"))
  }

  @Test("where chooses rows and may hold whatever an expression may") func filter() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, cost numeric, internal boolean, kind text);
      CREATE TABLE free (kind text);
      INSERT INTO free VALUES ('gift');
      INSERT INTO event VALUES (1, '2026-11-05', 1, true, 'a'), (1, '2026-11-05', 2, false, 'b'),
          (1, '2026-11-05', 4, NULL, 'gift'), (2, '2026-11-05', 8, false, 'b');
      """)
    for (filter, cost) in [
      ("NOT internal", "2"), ("internal IS NOT TRUE", "6"), ("internal OR NOT internal", "3"),
      ("kind = 'b' -- the rest is free", "2"), ("kind = ')' OR kind = 'a'", "1"),
      ("kind NOT IN (SELECT kind FROM free)", "3"), ("t.kind = $$b$$", "2"),
      ("/* ( */ true", "7"), ("(kind = 'a') OR (kind = 'b')", "3"),
    ] {
      #expect(try read(try source(filter: filter))?.cost == .known(cost), "\(filter)")
    }
  }

  @Test("where is one condition over the table, without parameters") func filterRefused() throws {
    try script("CREATE TABLE event (customer bigint, at timestamptz, cost numeric, kind text)")
    var connection = try database.connect()
    for filter in [
      "true) OR (true", "true) OR (true --", "true; DROP TABLE event", "kind", "1", "kind = $1",
      "kind = $customer", "", "  -- nothing", "missing = 1", "kind = 'open", "/* open",
      "count(*) > 1", "true, true", "true) GROUP BY (1", "true) UNION SELECT 1, '1', ('1'",
    ] {
      let fault = try UserDatabase.fault(sources: [try source(filter: filter)], on: &connection)
      #expect(
        fault?.hasPrefix("usage.sources[0].events.where: ") == true, "\(filter): \(fault ?? "none")"
      )
    }
  }

  @Test("Customers are compared as their column's type does") func customers() throws {
    try script("CREATE DOMAIN account_id AS bigint CHECK (VALUE > 0); CREATE EXTENSION citext")
    let uuid = "7e3fb204-2ec8-4fa7-9d7e-6c4b1c3a9f01"
    for (type, stored, customer) in [
      ("bigint", "42", "42"), ("integer", "42", "42"), ("numeric", "42", "42.0"),
      ("uuid", uuid, uuid.uppercased()), ("text", "42", "42"), ("varchar", "ab", "ab"),
      ("account_id", "42", "42"), ("citext", "Ann", "ANN"), ("char(8)", "ab", "ab"),
    ] {
      try script(
        """
        DROP TABLE IF EXISTS event;
        CREATE TABLE event (customer \(type), at timestamptz, cost numeric);
        INSERT INTO event VALUES ('\(stored)', '2026-11-05', 5);
        """)
      #expect(try read(try source(), customer: customer) == known("1", "5"), "\(type)")
    }
    // A longer id is not cut into another customer's.
    try script(
      """
      DROP TABLE event;
      CREATE TABLE event (customer varchar(8), at timestamptz, cost numeric);
      INSERT INTO event VALUES ('12345678', '2026-11-05', 5);
      """)
    #expect(try read(try source(), customer: "123456789") == known("0", "0"))
    // A customer that is no value of the column's type is unknown, not without usage.
    try script(
      "DROP TABLE event; CREATE TABLE event (customer bigint, at timestamptz, cost numeric)")
    #expect(try read(try source(), customer: "ann") == unknown(.error(sqlState: "22P02")))
  }

  @Test("Names are the catalogue's, however they are spelt") func names() throws {
    try script(
      """
      CREATE SCHEMA "My Schema";
      CREATE TABLE "My Schema"."Event""s" ("Customer" bigint, "at" timestamptz, "select" numeric);
      INSERT INTO "My Schema"."Event""s" VALUES (1, '2026-11-05', 5);
      CREATE VIEW "Shown" AS SELECT * FROM "My Schema"."Event""s";
      CREATE TABLE other (customer bigint, at timestamptz, cost numeric)
          PARTITION BY RANGE (at);
      CREATE TABLE other_11 PARTITION OF other FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');
      INSERT INTO other VALUES (1, '2026-11-05', 5);
      """)
    for table in [#""My Schema"."Event""s""#, #""Shown""#, #"public."Shown""#] {
      #expect(
        try read(try source(table: table, customer: "Customer", cost: "select"))
          == known("1", "5"), "\(table)")
    }
    #expect(
      try read(
        try source(table: #""Event""s""#, customer: "Customer", cost: "select"),
        searchPath: #"pg_catalog, "My Schema""#) == known("1", "5"))
    #expect(try read(try source(table: "other")) == known("1", "5"))
  }

  @Test("D-15: a time without zone counts in the zone that is named") func timeZone() throws {
    // Berlin leaves summer time on 2026-10-25; the period is in winter, an hour ahead of UTC.
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamp, cost numeric);
      INSERT INTO event VALUES (1, '2026-11-01 00:59:59', 1000), (1, '2026-11-01 01:00:00', 1),
          (1, '2026-12-01 00:59:59', 2), (1, '2026-12-01 01:00:00', 4000);
      """)
    #expect(try read(try source(zone: "Europe/Berlin")) == known("2", "3"))
    #expect(try read(try source(zone: "UTC"))?.cost == .known("1001"))
  }

  @Test(
    "D-15, C-15: the period's instants are the same under every session's zone",
    arguments: ["UTC", "Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"])
  func sessions(zone: String) throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, cost numeric);
      INSERT INTO event VALUES (1, '2026-10-30 22:30Z', 1), (1, '2026-10-31 22:30Z', 2),
          (1, '2026-11-30 23:30Z', 4), (1, '2026-12-01 00:30Z', 8);
      """)
    let role = try database.role(
      "GRANT SELECT ON event TO $; ALTER ROLE $ SET TimeZone = '\(zone)'; ALTER ROLE $ SET DateStyle = 'SQL, DMY'"
    )
    #expect(try read(try source(), as: role) == known("1", "4"))
  }

  @Test("C-14: what cannot be summed or dated is refused, and says why") func refused() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, day date, local timestamp, cost numeric,
          words text, money money, length interval, data json, flag boolean);
      CREATE FUNCTION make() RETURNS bigint LANGUAGE sql AS 'SELECT 1';
      CREATE SEQUENCE numbers;
      CREATE INDEX event_index ON event (at);
      """)
    var connection = try database.connect()
    for (source, message) in [
      (
        try source(cost: "words"),
        "cost: words has type text, expected a number: text is not summed"
      ),
      (
        try source(quantity: "words", unitCost: "1"),
        "quantity: words has type text, expected a number: text is not summed"
      ),
      (try source(cost: "money"), "cost: money has type money"),
      (try source(cost: "flag"), "cost: flag has type boolean"),
      (try source(cost: "length"), "cost: length has type interval"),
      (try source(time: "day"), "time: day has type date, expected timestamptz"),
      (try source(time: "words"), "time: words has type text, expected timestamptz"),
      (
        try source(time: "local"), "time: local has no time zone: say which with timeZone"
      ),
      (try source(time: "local", zone: "Mars/Base"), "timeZone: Mars/Base is not in"),
      (try source(zone: "UTC"), "timeZone: at is a timestamptz: it has its zone already"),
      (try source(cost: "nothing"), "cost: event has no column nothing"),
      (try source(cost: "Cost"), "cost: event has no column Cost"),
      (try source(customer: "ctid"), "customer: event has no column ctid"),
      (try source(table: "nowhere"), "table: nowhere does not exist"),
      (try source(table: "Event\""), "table: "), (try source(table: "a.b.c.d"), "table: "),
      (try source(table: "event; DROP TABLE event"), "table: "),
      (try source(table: "numbers"), "table: numbers does not exist, or is not a table or view"),
      (try source(table: "event_index"), "table: event_index does not exist, or is not a table"),
      (try source(customer: "data"), ": SQLSTATE 42883, operator does not exist: json"),
    ] {
      let fault = try UserDatabase.fault(sources: [source], on: &connection)
      #expect(
        fault?.hasPrefix("usage.sources[0].events") == true && fault?.contains(message) == true,
        "\(message): \(fault ?? "none")")
    }
    #expect(try connection.value("SELECT count(*) FROM event") == "0")
  }

  @Test("Rows that a policy hides make the source unknown, never 0") func hidden() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, cost numeric);
      INSERT INTO event VALUES (1, '2026-11-05', 14.20);
      ALTER TABLE event ENABLE ROW LEVEL SECURITY;
      """)
    let role = try database.role(
      "GRANT SELECT ON event TO $; ALTER ROLE $ SET row_security = on")
    #expect(try read(try source(), as: role) == unknown(.hiddenRows))
    let policy = try database.role(
      "GRANT SELECT ON event TO $; CREATE POLICY cheap ON event TO $ USING (cost < 1)")
    #expect(try read(try source(), as: policy) == unknown(.hiddenRows))
    let trusted = try database.role("ALTER ROLE $ BYPASSRLS; GRANT SELECT ON event TO $")
    #expect(try read(try source(), as: trusted) == known("1", "14.2"))
  }

  @Test("Without the permission, or without the table any more, it is unknown") func gone() throws {
    try script(
      """
      CREATE TABLE event (customer bigint, at timestamptz, cost numeric);
      CREATE TABLE secret (customer bigint, at timestamptz, cost numeric);
      """)
    let role = try database.role("GRANT SELECT ON event TO $")
    #expect(try read(try source(table: "secret"), as: role) == unknown(.permission))
    var connection = try database.connect()
    let queries = try UserDatabase.compile(sources: [try source()], on: &connection)
    try script("DROP TABLE event")
    let reading = try queries.usage.read(
      [try .sample(customer: "1")], alone: false, batch: UserDatabase.batch, on: &connection)[0]
    #expect(reading.sources == [unknown(.error(sqlState: "42P01"))])
    #expect(reading.healing == nil)
  }
}
