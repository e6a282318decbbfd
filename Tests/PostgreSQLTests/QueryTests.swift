import PostgreSQL
import TestSupport
import Testing

@Suite("Queries") struct QueryTests {
  @Test("A query returns its rows and types") func rows() throws {
    var connection = try TestServer.shared().connect(to: "postgres")
    let rows = try connection.query(
      "SELECT $1 AS a, $2 + 1 AS b, $3 AS c, NULL AS d", [.text("ä"), .int(41), .bool(true)])
    #expect(rows.count == 1)
    #expect(try rows[0].string("a") == "ä")
    #expect(try rows[0].int("b") == 42)
    #expect(try rows[0].bool(2))
    #expect(try rows[0].optionalString("d") == nil)
    #expect(rows.columns.map(\.type) == [25, 20, 16, 25])
  }
}
