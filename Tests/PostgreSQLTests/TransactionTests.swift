import PostgreSQL
import TestSupport
import Testing

@Suite("Transactions") struct TransactionTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
    var connection = try server.connect(to: database)
    try connection.script(
      """
      CREATE TABLE t (i int UNIQUE DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO t VALUES (1)
      """)
  }

  private func count() throws -> Int {
    var connection = try server.connect(to: database)
    return try connection.query("SELECT count(*) FROM t")[0].int(0)
  }

  @Test("What the body returns is committed") func commit() throws {
    var connection = try server.connect(to: database)
    let value = try connection.transaction { connection throws(PostgresError) in
      try connection.query("INSERT INTO t VALUES (2)").affectedRows
    }
    #expect(value == 1)
    #expect(try count() == 2)
    #expect(connection.transactionStatus == .idle)
  }

  @Test("What the body throws rolls back and is thrown on") func rollback() throws {
    var connection = try server.connect(to: database)
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("INSERT INTO t VALUES (2)")
        _ = try connection.query("SELECT 1 / 0")
      }
    }
    #expect(error?.sqlState == "22012")
    #expect(try count() == 1)
    #expect(connection.isUsable == true)
    #expect(connection.transactionStatus == .idle)
  }

  @Test("A body that swallows an error does not make a rolled back transaction a success")
  func swallowed() throws {
    var connection = try server.connect(to: database)
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("INSERT INTO t VALUES (2)")
        do throws(PostgresError) { _ = try connection.query("SELECT 1 / 0") } catch {}
      }
    }
    #expect(error?.sqlState == "25P02")
    #expect(error?.outcomeIsUnknown == false)
    #expect(try count() == 1)
  }

  @Test("A constraint that is checked at commit fails the transaction, for certain")
  func deferred() throws {
    var connection = try server.connect(to: database)
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.kind == .server)
    #expect(error?.sqlState == "23505")
    #expect(error?.outcomeIsUnknown == false)
    #expect(connection.isUsable == true)
    // Outside a transaction it is checked after the statement has reported its success.
    #expect(throws: PostgresError.self) { try connection.query("INSERT INTO t VALUES (1)") }
    let outcomes = try connection.pipeline([["INSERT INTO t VALUES (1)"], ["SELECT 2"]])
    #expect(throws: PostgresError.self) { try outcomes[0].get() }
    #expect(try outcomes[1].get()[0].int(0) == 2)
    #expect(try count() == 1)
  }

  @Test("A connection lost before COMMIT leaves nothing, lost in a statement alone is unknown")
  func lostBeforeCommit() throws {
    var connection = try server.connect(to: database)
    let kill: Statement = "SELECT pg_terminate_backend(pg_backend_pid())"
    var error = #expect(throws: PostgresError.self) {
      try connection.transaction { connection throws(PostgresError) in
        _ = try connection.query("INSERT INTO t VALUES (2)")
        _ = try connection.query(kill.sql)
      }
    }
    #expect(error?.kind == .connection)
    #expect(error?.sqlState == "57P01")
    #expect(error?.outcomeIsUnknown == false)
    #expect(connection.isUsable == false)
    #expect(try count() == 1)
    var other = try server.connect(to: database)
    error = #expect(throws: PostgresError.self) { try other.query(kill.sql) }
    #expect(error?.kind == .connection)
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("25006 blames the statement in a read-only transaction, and the server in any other")
  func readOnly() throws {
    var connection = try server.connect(to: database)
    var error = #expect(throws: PostgresError.self) {
      try connection.transaction(access: .readOnly) { connection throws(PostgresError) in
        _ = try connection.query("INSERT INTO t VALUES (2)", access: .readOnly)
      }
    }
    #expect(error?.kind == .server)
    #expect(error?.sqlState == "25006")
    #expect(connection.isUsable == true)
    _ = try connection.query("SET default_transaction_read_only = on")
    let outcomes = try connection.pipeline([["INSERT INTO t VALUES (2)"], ["SELECT 3"]])
    error = #expect(throws: PostgresError.self) { try outcomes[0].get() }
    #expect(error?.kind == .readOnly)
    #expect(try outcomes[1].get()[0].int(0) == 3)
    #expect(connection.isUsable == false)
  }

  @Test("A commit that no standby confirmed is unknown: it stands here and may be lost")
  func synchronousStandby() throws {
    let server = try PostgresServer.start(extraSettings: [
      "synchronous_standby_names": "'nobody'", "synchronous_commit": "local",
    ])
    defer { server.remove() }
    var connection = try server.connect(to: "postgres")
    try connection.script("CREATE TABLE t (i int)")
    _ = try connection.query("SET synchronous_commit = on")
    var error = #expect(throws: PostgresError.self) {
      try connection.transaction(timeout: .milliseconds(300)) {
        connection throws(PostgresError) in _ = try connection.query("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.outcomeIsUnknown == true)
    #expect(error?.kind == .timeout)
    error = #expect(throws: PostgresError.self) {
      try connection.query("INSERT INTO t VALUES (2)", timeout: .milliseconds(300))
    }
    #expect(error?.outcomeIsUnknown == true)
    let outcomes = try connection.pipeline(
      [["INSERT INTO t VALUES (3)"], ["SELECT 1"]], timeout: .milliseconds(300))
    error = #expect(throws: PostgresError.self) { try outcomes[0].get() }
    #expect(error?.outcomeIsUnknown == true)
    #expect(connection.isUsable == true)
    #expect(try connection.query("SELECT count(*) FROM t")[0].int(0) == 3)
  }
}
