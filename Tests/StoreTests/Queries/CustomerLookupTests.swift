import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Whose purchase it is") struct CustomerLookupTests {
  private let database: UserDatabase

  init() throws {
    database = try UserDatabase(
      """
      CREATE TABLE account (id bigint, app_account_token uuid);
      INSERT INTO account VALUES (1, '7e3fb204-2ec8-4fa7-9d7e-6c4b1c3a9f01'),
          (2, '00000000-0000-0000-0000-000000000000'), (3, NULL);
      CREATE TABLE purchase (account_id bigint, original_transaction_id text);
      INSERT INTO purchase VALUES (10, '700000'), (NULL, '800000'), (20, '900000'), (21, '900000'),
          (30, '910000'), (30, '910000');
      """)
  }

  private static let byToken =
    "SELECT id FROM account WHERE app_account_token = $app_account_token::uuid"
  private static let byPurchase =
    "SELECT account_id FROM purchase WHERE original_transaction_id = $original_transaction_id"

  private func find(
    _ queries: [String], _ changes: [String: String?] = [:], as user: String = "postgres",
    batch: ReadOnlyBatch = UserDatabase.batch
  ) throws -> CustomerFinding? {
    var connection = try database.connect(as: user)
    let lookup = CustomerLookup(try queries.map { try NamedQuery($0) })
    return try lookup.find([try .sample(changes)], batch: batch, on: &connection).first
  }

  @Test("The first query that returns a row wins") func inTurn() throws {
    #expect(try find([Self.byToken, Self.byPurchase]) == .found("1"))
    #expect(try find([Self.byPurchase, Self.byToken]) == .found("10"))
    #expect(try find(["SELECT 1 WHERE false", Self.byPurchase]) == .found("10"))
  }

  @Test("A-06: without a token the second mapping is asked, and nobody is guessed") func noToken()
    throws
  {
    #expect(try find([Self.byToken, Self.byPurchase], ["appAccountToken": nil]) == .found("10"))
    let stranger: [String: String?] = [
      "appAccountToken": nil, "originalTransactionId": "\"1\"",
    ]
    #expect(try find([Self.byToken, Self.byPurchase], stranger) == .unknown)
  }

  @Test(
    "A-07: an empty or all-zero token is no identity",
    arguments: ["\"\"", "\"00000000-0000-0000-0000-000000000000\"", "null"])
  func ghost(token: String) throws {
    #expect(try find([Self.byToken], ["appAccountToken": token]) == .unknown)
  }

  @Test("A-08: a query that mentions an absent token is not run, however it treats null")
  func absentToken() throws {
    let anyone =
      "SELECT id FROM account WHERE $app_account_token::uuid IS NULL OR app_account_token = $app_account_token::uuid LIMIT 1"
    #expect(try find([anyone], ["appAccountToken": nil]) == .unknown)
    // Nor does it fail when it would.
    #expect(
      try find(
        ["SELECT 1/0 WHERE $app_transaction_id IS NULL", Self.byPurchase],
        ["appTransactionId": nil]) == .found("10"))
  }

  @Test("A-08: two rows are an error and not the first; a null row is a customer who is gone")
  func rows() throws {
    for original in ["900000", "910000"] {
      #expect(
        try find([Self.byPurchase], ["originalTransactionId": "\"\(original)\""]) == .ambiguous)
    }
    #expect(try find([Self.byPurchase], ["originalTransactionId": "\"800000\""]) == .gone)
    // Neither is cured by a later query.
    #expect(
      try find([Self.byPurchase, Self.byToken], ["originalTransactionId": "\"900000\""])
        == .ambiguous)
    #expect(
      try find([Self.byPurchase, Self.byToken], ["originalTransactionId": "\"800000\""]) == .gone)
    #expect(try find(["SELECT id FROM account"]) == .ambiguous)
    #expect(try find(["SELECT generate_series(1, 100000000)"]) == .ambiguous)
  }

  @Test("A query that fails is not a no, and the next one is not asked") func failing() throws {
    for query in ["SELECT 1/0", "SELECT pg_sleep(60)", "SELECT id FROM missing_table"] {
      let finding = try find(
        [query, Self.byPurchase],
        batch: ReadOnlyBatch(
          searchPath: "pg_catalog, public", statementTimeout: .milliseconds(200),
          budget: .seconds(10)))
      guard case .unavailable = finding else {
        Issue.record("\(query): \(String(describing: finding))")
        continue
      }
    }
  }

  @Test("An error names no value of anybody's") func errors() throws {
    _ = try database.connect()
    var connection = try database.connect()
    try connection.script(
      """
      CREATE FUNCTION tell(text) RETURNS bigint LANGUAGE plpgsql AS
          $$ BEGIN RAISE 'no such customer: %', $1; END $$;
      """)
    for query in [
      "SELECT $product_id::bigint", "SELECT tell($product_id)",
      "SELECT ('{' || $product_id)::jsonb",
    ] {
      let finding = try find([query])
      guard case .unavailable(let error) = finding else {
        Issue.record("\(query): \(String(describing: finding))")
        continue
      }
      #expect(!error.message.contains("pro.monthly"), "\(error)")
      #expect(error.message.hasPrefix("customer.query: SQLSTATE"))
    }
  }

  @Test("Customers of many purchases are found in their order") func many() throws {
    var connection = try database.connect()
    let lookup = CustomerLookup([
      try NamedQuery(Self.byToken), try NamedQuery(Self.byPurchase),
      try NamedQuery("SELECT 1 / (length($transaction_id) - 2)"),
    ])
    let none: [String: String?] = ["appAccountToken": nil, "originalTransactionId": "\"1\""]
    let findings = try lookup.find(
      [
        try .sample(["appAccountToken": nil]), try .sample(),
        try .sample(none.merging(["transactionId": "\"22\""]) { $1 }), try .sample(none),
        try .sample(["appAccountToken": nil, "originalTransactionId": "\"900000\""]),
      ], batch: UserDatabase.batch, on: &connection)
    #expect(findings[0] == .found("10"))
    #expect(findings[1] == .found("1"))
    guard case .unavailable = findings[2] else {
      Issue.record("\(findings[2])")
      return
    }
    #expect(findings[3] == .found("0"))
    #expect(findings[4] == .ambiguous)
  }

  @Test("Comments, semicolons and quotes at the end belong to the query") func endings() throws {
    for ending in [" -- the account", ";", " ; ", " -- x;", "/* ) q */", ";--", "; -- ) q", "\n"] {
      #expect(try find([Self.byPurchase + ending]) == .found("10"), "\(ending)")
    }
  }

  @Test("A query that writes is refused, whichever way it tries") func writing() throws {
    var connection = try database.connect()
    try connection.script(
      """
      CREATE TABLE trace (n integer);
      CREATE SEQUENCE numbers;
      CREATE FUNCTION leave_trace() RETURNS bigint LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO trace VALUES (1); RETURN 1; END $$;
      """)
    // PostgreSQL does not even read these as one query.
    for query in [
      "INSERT INTO trace VALUES (1) RETURNING n", "DELETE FROM trace RETURNING n",
      "WITH x AS (INSERT INTO trace VALUES (1) RETURNING n) SELECT n FROM x", "COMMIT",
      "SELECT 1) q; COMMIT; SELECT (1", "SELECT 1) q, (SELECT 2", "DROP TABLE trace",
      "CALL something()", "TRUNCATE trace", "COPY trace TO '/tmp/x'", "SET row_security = on",
    ] {
      do {
        let named = try NamedQuery(query)
        let fault = try UserDatabase.fault(customer: [named.text], on: &connection)
        #expect(fault?.hasPrefix("customer.query: ") == true, "\(query)")
      } catch is NamedQueryError {}
    }
    // These are queries, and fail when they run.
    for query in [
      "SELECT leave_trace()", "SELECT nextval('numbers')", "SELECT n FROM trace FOR UPDATE",
    ] {
      let finding = try find([query])
      guard case .unavailable = finding else {
        Issue.record("\(query): \(String(describing: finding))")
        continue
      }
    }
    #expect(try connection.value("SELECT count(*) FROM trace") == "0")
    #expect(try connection.value("SELECT is_called FROM numbers") == "f")
    // This one PostgreSQL 15 lets run. It is undone.
    _ = try find(["SELECT lo_create(0)"])
    #expect(try connection.value("SELECT count(*) FROM pg_largeobject_metadata") == "0")
  }

  @Test("What a query cannot be is said with the key's path") func shapes() throws {
    var connection = try database.connect()
    for (queries, message) in [
      (["SELECT 1, 2"], "customer.query: found 2 columns, expected one: the customer"),
      (["SELECT FROM account"], "customer.query: found 0 columns, expected one: the customer"),
      (
        ["SELECT 1", "SELECT id FROM nowhere"],
        "customer[1].query: SQLSTATE 42P01, relation \"nowhere\" does not exist"
      ),
      (["SELECT 1 +"], "customer.query: SQLSTATE 42601, syntax error at or near \")\""),
    ] {
      let fault = try UserDatabase.fault(customer: queries, on: &connection)
      #expect(fault == message, "\(fault ?? "none")")
    }
  }

  @Test("A standby's word counts for nothing") func standby() throws {
    let server = try PostgresServer.start(extraSettings: ["wal_level": "replica"])
    defer { server.remove() }
    let folder = try temporaryFolder()
    try shell("chmod 755 \(folder)")
    let bin = try shell(
      "pg_config --bindir 2>/dev/null || ls -d /usr/lib/postgresql/*/bin | tail -1")
    let data = "\(folder)/data"
    let port = try freePort()
    let asServer = try shell("id -u") == "0" ? "runuser -u postgres -- " : ""
    if !asServer.isEmpty { try shell("chown postgres \(folder)") }
    let programs = bin.isEmpty ? "" : "\(bin)/"
    try shell(
      "\(asServer)\(programs)pg_basebackup -R -D \(data) -h \(server.folder) -p \(server.port) -U postgres -c fast"
    )
    try shell("sed -i 's/^port = .*/port = \(port)/' \(data)/postgresql.auto.conf")
    try shell(
      "\(asServer)\(programs)pg_ctl -D \(data) -l \(folder)/log -w -t 30 start >/dev/null 2>&1")
    defer {
      _ = try? shell("\(asServer)\(programs)pg_ctl -D \(data) -m immediate stop; rm -rf \(folder)")
    }
    let info = try Conninfo("host=127.0.0.1 port=\(port) dbname=postgres user=postgres")
    var connection = try Connection(info, timeout: .seconds(30))
    let lookup = CustomerLookup([try NamedQuery("SELECT 1")])
    let consent = ConsentReading(try NamedQuery("SELECT true"), columns: 1)
    let purchases = [try PurchaseValues.sample(customer: "1")]
    let found = try lookup.find(purchases, batch: UserDatabase.batch, on: &connection)
    #expect(found == [.unavailable(Trouble("customer.query: answered by a standby"))])
    let read = try consent.read(purchases, batch: UserDatabase.batch, on: &connection)
    #expect(read == [.unavailable(Trouble("consent.query: answered by a standby"))])
  }
}
