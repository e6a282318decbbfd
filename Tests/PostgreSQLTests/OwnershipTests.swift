import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Ownership") struct OwnershipTests {
  /// What the daemon's owners look like.
  private actor Owner {
    private var connection: Connection?

    func connect(_ info: Conninfo) throws {
      connection = try Connection(info, timeout: .seconds(10))
    }

    func answer() throws -> Int? {
      try connection?.query("SELECT 42")[0].int(0)
    }

    func disconnect() {
      connection = nil
    }

    var processID: Int32? { connection?.processID }
  }

  @Test("An actor may hold a connection and let go of it, which ends the session") func actor()
    async throws
  {
    let server = try TestServer.shared()
    let owner = Owner()
    try await owner.connect(Conninfo(server.conninfo(database: "postgres")))
    #expect(try await owner.answer() == 42)
    let pid = try #require(await owner.processID)
    await owner.disconnect()
    #expect(try await owner.answer() == nil)
    var other = try server.connect(to: "postgres")
    try waitUntil("the session is over") {
      try other.query(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = $1::int", [.inferred("\(pid)")])[0]
        .int(0) == 0
    }
  }

  @Test("Rows outlive their connection") func rows() throws {
    let rows = try onceConnected { connection throws(PostgresError) in
      try connection.query("SELECT i::text FROM generate_series(1, 1000) i")
    }
    #expect(try rows[999].string(0) == "1000")
    #expect(try rows.map { try $0.int(0) }.reduce(0, +) == 500_500)
  }

  private func onceConnected<Value>(
    _ body: (inout Connection) throws(PostgresError) -> Value
  ) throws -> Value {
    var connection = try TestServer.shared().connect(to: "postgres")
    return try body(&connection)
  }

  @Test("Notices are not printed to stderr") func notices() throws {
    var connection = try TestServer.shared().connect(to: "postgres")
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = open("\(folder)/stderr", O_RDWR | O_CREAT, 0o600)
    let original = dup(2)
    dup2(file, 2)
    defer {
      dup2(original, 2)
      close(original)
      close(file)
    }
    try connection.script(
      "DO $$ BEGIN RAISE NOTICE 'loud-notice'; RAISE WARNING 'loud-warning'; END $$")
    fflush(nil)
    #expect(!contents(of: "\(folder)/stderr").contains("loud"))
    #expect(connection.isUsable == true)
  }
}
