import PostgreSQL
import TestSupport
import Testing

@Suite("Queries") struct QueryTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
  }

  @Test("A query returns its rows, their types and NULL") func rows() throws {
    var connection = try server.connect(to: database)
    let rows = try connection.query(
      "SELECT $1 AS a, $2 + 1 AS b, $3 AS c, NULL AS d, $4 AS e",
      [.text("ä"), .int(41), .bool(true), .bytes([0, 255])])
    #expect(rows.count == 1)
    #expect(rows.columns.map(\.type) == [25, 20, 16, 25, 17])
    let row = try #require(rows.first)
    #expect(try row.string("a") == "ä")
    #expect(try row.int("b") == 42)
    #expect(try row.int64("b") == 42)
    #expect(try row.bool(2))
    #expect(try row.optionalString("d") == nil)
    #expect(try row.string("e") == "\\x00ff")
  }

  @Test("Types that are not declared are inferred") func inferred() throws {
    var connection = try server.connect(to: database)
    let rows = try connection.query(
      "SELECT 7::bigint = $1, $2::uuid IS NULL, $3 = ANY ($4::text[])",
      ["7", nil, .inferred("x"), .inferred("{x}")])
    #expect(try rows[0].bool(0))
    #expect(try rows[0].bool(1))
    #expect(try rows[0].bool(2))
  }

  @Test("Affected rows and the command's tag") func affected() throws {
    var connection = try server.connect(to: database)
    try connection.script("CREATE TABLE t (i int); INSERT INTO t VALUES (1), (2), (3);")
    let rows = try connection.query("UPDATE t SET i = i + 1 WHERE i > $1", [.int(1)])
    #expect(rows.affectedRows == 2)
    #expect(rows.commandTag == "UPDATE 2")
    #expect(rows.isEmpty)
  }

  @Test("What a column does not hold is a decoding error that names the column alone")
  func decoding() throws {
    var connection = try server.connect(to: database)
    let row = try connection.query("SELECT 'secret' AS a, NULL AS b, 't' AS c")[0]
    for access in [
      { _ = try row.int("a") }, { _ = try row.bool("a") }, { _ = try row.array("a") },
      { _ = try row.string("b") }, { _ = try row.string("absent") }, { _ = try row.string(3) },
      { _ = try row.optionalString(-1) },
    ] as [() throws -> Void] {
      let error = #expect(throws: PostgresError.self) { try access() }
      #expect(error?.kind == .decoding)
      #expect(error?.description.contains("secret") == false)
    }
    #expect(try row.optionalInt("b") == nil)
    #expect(try row.bool("c"))
  }

  @Test("Arrays survive quotes, backslashes, commas, braces, NULL and empty strings")
  func arrays() throws {
    var connection = try server.connect(to: database)
    let values: [String?] = [
      "plain", "with \"quotes\"", "back\\slash", "a,b", "{x}", nil, "", "NULL", " ", "ä\n", "'",
    ]
    let row = try connection.query(
      "SELECT $1, array_length($1, 1), $1[6] IS NULL, $1[7] = '', $1[2], $2::bigint[], '{}'::text[]",
      [.array(values), .array([Int64.min, 0, Int64.max])])[0]
    #expect(try row.array(0) == values)
    #expect(try row.int(1) == values.count)
    #expect(try row.bool(2))
    #expect(try row.bool(3))
    #expect(try row.string(4) == "with \"quotes\"")
    #expect(try row.array(5) == ["-9223372036854775808", "0", "9223372036854775807"])
    #expect(try row.array(6) == [])
    let nested = try connection.query("SELECT ARRAY[[1, 2], [3, 4]]")[0]
    #expect(throws: PostgresError.self) { try nested.array(0) }
  }

  @Test("An error keeps code, message, hint, position and constraint") func errors() throws {
    var connection = try server.connect(to: database)
    try connection.script("CREATE TABLE e (name text CONSTRAINT short CHECK (length(name) < 3))")
    var error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT 1 WHERE nam = 2")
    }
    #expect(error?.kind == .server)
    #expect(error?.sqlState == "42703")
    #expect(error?.message == "column \"nam\" does not exist")
    #expect(error?.position == 16)
    error = #expect(throws: PostgresError.self) { try connection.query("SELECT nme FROM e") }
    #expect(error?.hint?.contains("e.name") == true)
    error = #expect(throws: PostgresError.self) {
      try connection.query("INSERT INTO e VALUES ($1)", ["private"])
    }
    #expect(error?.sqlState == "23514")
    #expect(error?.constraint == "short")
    #expect(error?.description.contains("private") == false)
    #expect(error?.outcomeIsUnknown == false)
    #expect(connection.isUsable == true)
  }

  @Test("A value that PostgreSQL refuses is in the message and not in the description")
  func valuesStayOut() throws {
    var connection = try server.connect(to: database)
    for statement in [
      Statement("SELECT $1::int", ["pri\"vate"]), Statement("SELECT $1::timestamptz", ["private"]),
      Statement("SELECT $1::text::smallint", ["777777"]),
      Statement("SELECT $1::json", ["{private"]),
    ] {
      let error = #expect(throws: PostgresError.self) {
        try connection.query(statement.sql, statement.parameters)
      }
      #expect(error?.sqlState?.hasPrefix("22") == true)
      #expect(error?.description.contains("vate") == false)
      #expect(error?.description.contains("777777") == false)
    }
  }

  @Test("A zero byte is refused instead of cutting the value short") func zeroByte() throws {
    var connection = try server.connect(to: database)
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT $1::text", ["a\0b"])
    }
    #expect(error?.sqlState == "22021")
    #expect(throws: PostgresError.self) { try connection.query("SELECT 1\0") }
    #expect(try connection.query("SELECT 1").count == 1)
  }

  @Test("COPY is refused and the connection given up, instead of hanging") func copy() throws {
    for sql in ["COPY (SELECT 1) TO STDOUT", "COPY pg_class FROM STDIN"] {
      var connection = try server.connect(to: database)
      #expect(throws: PostgresError.self) { try connection.query(sql, timeout: .seconds(5)) }
      #expect(connection.isUsable == false)
    }
  }

  @Test("A script runs as one transaction and fails as one") func script() throws {
    var connection = try server.connect(to: database)
    let error = #expect(throws: PostgresError.self) {
      try connection.script("CREATE TABLE gone (i int); SELECT 1 / 0; CREATE TABLE b (i int)")
    }
    #expect(error?.sqlState == "22012")
    #expect(try connection.query("SELECT to_regclass('gone') IS NULL")[0].bool(0))
  }

  @Test("Describe tells parameters and columns of a wrapped query, and runs nothing")
  func describe() throws {
    var connection = try server.connect(to: database)
    let query = "SELECT $1::bigint AS id, $2 = now() AS \"at\", 1 / 0 AS never"
    let description = try connection.describe(
      "SELECT * FROM (\n\(query)\n) q", parameterTypes: [0, TypeID.timestamptz])
    #expect(description.parameterTypes == [TypeID.int8, TypeID.timestamptz])
    #expect(description.columns.map(\.name) == ["id", "at", "never"])
    #expect(description.columns.map(\.type) == [TypeID.int8, TypeID.bool, TypeID.int4])
    let error = #expect(throws: PostgresError.self) { try connection.describe("SELECT 1 +* 2") }
    #expect(error?.sqlState == "42883")
    #expect(error?.position == 10)
    #expect(connection.transactionStatus == .idle)
    #expect(try connection.query("SELECT 1").count == 1)
  }

  @Test("Names and constants are quoted") func quoting() throws {
    var connection = try server.connect(to: database)
    let name = "we\"ird ' \\name"
    let rows = try connection.query(
      "SELECT \(SQLText.literal(name)) AS \(connection.quotedIdentifier(name))")
    #expect(rows.columns.map(\.name) == [name])
    #expect(try rows[0].string(name) == name)
  }
}
