import PostgreSQL
import Testing

@Suite("Errors") struct PostgresErrorTests {
  @Test(
    "What each SQLSTATE means for the connection",
    arguments: [
      ("08006", .connection), ("08P01", .connection), ("57P01", .connection),
      ("57P02", .connection), ("57P03", .connection), ("57P05", .connection),
      ("25P03", .connection), ("25006", .readOnly), ("57014", .cancelled), ("23505", .server),
      ("40001", .server), ("53300", .server), ("55P03", .server), ("25P02", .server),
      ("42501", .server),
    ] as [(String, PostgresError.Kind)])
  func kinds(_ sqlState: String, _ kind: PostgresError.Kind) {
    #expect(PostgresError.Kind(sqlState: sqlState, access: .readWrite) == kind)
  }

  @Test("In a read-only transaction 25006 is the statement's fault") func readOnly() {
    #expect(PostgresError.Kind(sqlState: "25006", access: .readOnly) == .server)
  }

  @Test("Descriptions carry code, constraint and doubt, and no values") func descriptions() {
    func text(_ sqlState: String?, _ message: String, unknown: Bool = false) -> String {
      PostgresError(
        kind: .server, sqlState: sqlState, message: message, constraint: "c",
        outcomeIsUnknown: unknown
      ).description
    }
    #expect(text("23505", "duplicate key") == "SQLSTATE 23505: duplicate key (constraint c)")
    #expect(text("22P02", "bad \"a\"b\" here") == "SQLSTATE 22P02: bad \"…\" here (constraint c)")
    #expect(text("22P02", "ungültig: »a«") == "SQLSTATE 22P02 (constraint c)")
    #expect(text("P0001", "customer 7") == "SQLSTATE P0001 (constraint c)")
    #expect(text("22012", "division by zero") == "SQLSTATE 22012: division by zero (constraint c)")
    #expect(text(nil, "gone", unknown: true) == "server: gone (constraint c) (outcome unknown)")
  }

  @Test("A parameter shows its type and never its value") func parameters() {
    let statement = Statement("SELECT $1", [.text("private")])
    var dumped = ""
    dump(statement, to: &dumped)
    #expect(!"\(statement)".contains("private"))
    #expect(!String(reflecting: statement).contains("private"))
    #expect(!dumped.contains("private"))
  }
}
