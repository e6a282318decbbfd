import PostgreSQL
import TestSupport
import Testing

@Suite("Through PgBouncer", .enabled(if: PgBouncer.isAvailable, "pgbouncer is not installed"))
struct PgBouncerTests {
  @Test("Queries, transactions, pipelines, descriptions and timeouts in transaction mode")
  func transactionMode() throws {
    let server = try TestServer.shared()
    let database = try server.createDatabase()
    let bouncer = try PgBouncer.start(for: server)
    defer { bouncer.stop() }
    let info = try Conninfo(server.loopbackConninfo(database: database, port: bouncer.port))
      .withDefaults()
    // More clients than server connections, so that each statement may meet another server.
    let clients = (0..<6).map { client in
      Background {
        var connection = try Connection(info, timeout: .seconds(10))
        for round in 0..<30 {
          try Self.exercise(&connection, number: client * 100 + round)
        }
      }
    }
    for client in clients { try client.value(within: .seconds(60)) }
    var connection = try Connection(info, timeout: .seconds(10))
    #expect(try connection.query("SELECT count(*) FROM t")[0].int(0) == 180)
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT pg_sleep(60)", timeout: .milliseconds(100))
    }
    #expect(error?.kind == .timeout)
    #expect(connection.isUsable == true)
    let outcomes = try connection.pipeline(
      [["SELECT 1"], ["SELECT pg_sleep(60)"], ["SELECT pg_sleep(60)"], ["SELECT pg_sleep(60)"]],
      timeout: .milliseconds(100))
    #expect(outcomes.map(\.kind) == [nil, .timeout, .notRun, .notRun])
    #expect(connection.isUsable == true)
    #expect(try connection.query("SELECT 1").count == 1)
  }

  private static func exercise(_ connection: inout Connection, number: Int) throws {
    if number % 100 == 0 {
      try connection.script(
        """
        SELECT pg_advisory_xact_lock(1);
        CREATE TABLE IF NOT EXISTS t (i int)
        """)
    }
    #expect(try connection.query("SELECT $1 + 1", [.int(number)])[0].int(0) == number + 1)
    try connection.transaction { connection throws(PostgresError) in
      _ = try connection.query("INSERT INTO t VALUES ($1)", [.int(number)])
      _ = try connection.query("SELECT count(*) FROM t")
    }
    let outcomes = try connection.pipeline([
      [Statement("SELECT $1", [.int(number)])], ["SELECT 1 / 0"],
      ["SET LOCAL statement_timeout = 5", "SELECT pg_sleep(9)"], [Statement("SELECT $1", ["z"])],
    ])
    #expect(outcomes.map(\.kind) == [nil, .server, .cancelled, nil])
    #expect(try outcomes[3].get()[0].string(0) == "z")
    let description = try connection.describe("SELECT * FROM (\nSELECT $1::uuid AS u\n) q")
    #expect(description.parameterTypes == [TypeID.uuid])
    #expect(description.columns == [Column(name: "u", type: TypeID.uuid)])
  }
}

extension Result where Failure == PostgresError {
  fileprivate var kind: PostgresError.Kind? {
    if case .failure(let error) = self { error.kind } else { nil }
  }
}
