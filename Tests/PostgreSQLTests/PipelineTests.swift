import PostgreSQL
import TestSupport
import Testing

@Suite("Pipelines") struct PipelineTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
  }

  /// What a test expects of an outcome: a value, or the kind of an error.
  private func summary(_ outcomes: [Result<Rows, PostgresError>]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .success(let rows): (try? rows.first?.optionalString(0)) ?? "-"
      case .failure(let error): error.sqlState ?? error.kind.rawValue
      }
    }
  }

  @Test("Groups fail alone and keep their order: a division, a statement timeout, good ones")
  func mixed() throws {
    var connection = try server.connect(to: database)
    let outcomes = try connection.pipeline([
      ["SELECT 'a'"], ["SELECT 1 / 0"], ["SELECT 'b'", "SELECT 'c'"],
      ["SET LOCAL statement_timeout = 50", "SELECT pg_sleep(30)"], ["SELECT 'd'"],
      ["SELECT 'lost'", "SELECT nonsense", "SELECT 'skipped'"], [], [Statement("SELECT $1", ["e"])],
      [Statement("SELECT $1", ["\0"])], ["SELECT 'f'"],
    ])
    #expect(
      summary(outcomes) == ["a", "22012", "c", "57014", "d", "42703", "-", "e", "22021", "f"])
    guard case .failure(let error) = outcomes[3] else { return }
    #expect(error.kind == .cancelled)
    #expect(try connection.query("SELECT 1").count == 1)
  }

  @Test("A group is a transaction: what it did goes when it fails") func groupsAreTransactions()
    throws
  {
    var connection = try server.connect(to: database)
    try connection.script("CREATE TABLE g (i int)")
    _ = try connection.pipeline([
      ["INSERT INTO g VALUES (1)", "SELECT 1 / 0"], ["INSERT INTO g VALUES (2)"],
    ])
    #expect(try connection.query("SELECT string_agg(i::text, ',') FROM g")[0].string(0) == "2")
  }

  @Test("One transaction over groups: a savepoint keeps the failures of sources apart")
  func savepoints() throws {
    var connection = try server.connect(to: database)
    let outcomes = try connection.pipeline(
      [
        ["BEGIN READ ONLY"], ["SAVEPOINT s"], ["SELECT 'a'"], ["ROLLBACK TO s"], ["SELECT 1 / 0"],
        ["ROLLBACK TO s"], ["CREATE TABLE no (i int)"], ["ROLLBACK TO s"], ["SELECT 'b'"],
        ["ROLLBACK TO s"], ["COMMIT"],
      ], access: .readOnly)
    #expect(
      summary(outcomes) == ["-", "-", "a", "-", "22012", "-", "25006", "-", "b", "-", "-"])
    #expect(connection.isUsable == true)
    #expect(connection.transactionStatus == .idle)
  }

  @Test("At the end of the budget: done, overdue, never begun; and the connection lives on")
  func budget() throws {
    var connection = try server.connect(to: database)
    try connection.script("CREATE TABLE b (i int)")
    let start = ContinuousClock.now
    var groups: [[Statement]] = [
      ["SELECT 'a'"], ["INSERT INTO b VALUES (1)", "SELECT pg_sleep(60)"],
    ]
    groups += (0..<30).map { _ in ["INSERT INTO b VALUES (2)", "SELECT pg_sleep(60)"] }
    let outcomes = try connection.pipeline(groups, timeout: .milliseconds(300))
    #expect(start.duration(to: .now) < .seconds(5))
    #expect(outcomes.count == 32)
    #expect(summary(outcomes)[0] == "a")
    #expect(summary(outcomes)[1] == "57014")
    guard case .failure(let error) = outcomes[1] else { return }
    #expect(error.kind == .timeout)
    #expect(!error.outcomeIsUnknown)
    #expect(summary(outcomes).dropFirst(2).allSatisfy { $0 == "notRun" })
    #expect(connection.isUsable == true)
    #expect(try connection.query("SELECT count(*) FROM b")[0].int(0) == 0)
  }

  @Test("A transaction that a budget cut off is rolled back") func openTransaction() throws {
    var connection = try server.connect(to: database)
    _ = try connection.pipeline(
      [["BEGIN"], ["SELECT pg_sleep(60)"], ["COMMIT"]], timeout: .milliseconds(100))
    #expect(connection.isUsable == true)
    #expect(connection.transactionStatus == .idle)
  }

  @Test("Large parameters and large results at once do not deadlock") func large() throws {
    var connection = try server.connect(to: database)
    let megabyte = String(repeating: "x", count: 1_000_000)
    let groups = (0..<24).map { _ in
      [Statement("SELECT $1 || $1, generate_series(1, 2)", [.text(megabyte)])]
    }
    let outcomes = try connection.pipeline(groups, timeout: .seconds(30))
    #expect(outcomes.count == 24)
    for outcome in outcomes {
      let rows = try outcome.get()
      #expect(rows.count == 2)
      #expect(try rows[1].string(0).utf8.count == 2_000_000)
    }
  }

  @Test("Hundreds of groups come back in order") func many() throws {
    var connection = try server.connect(to: database)
    let outcomes = try connection.pipeline(
      (0..<500).map { [Statement("SELECT $1", [.int($0)])] })
    #expect(summary(outcomes) == (0..<500).map { String($0) })
  }

  @Test("Values that cannot be sent keep their place, at either end and alone") func refused()
    throws
  {
    var connection = try server.connect(to: database)
    let bad = [Statement("SELECT $1", ["\0"])]
    #expect(summary(try connection.pipeline([bad])) == ["22021"])
    #expect(summary(try connection.pipeline([bad, ["SELECT 1"], bad])) == ["22021", "1", "22021"])
    #expect(try connection.pipeline([]).isEmpty)
    #expect(connection.isUsable == true)
  }

  @Test("A server that ends the session: its reason, then nothing is known or nothing was sent")
  func terminated() throws {
    var connection = try server.connect(to: database)
    // libpq forgets unread results when it cannot write, so the server waits until all is sent.
    let end: Statement = "SELECT pg_terminate_backend(pg_backend_pid()) FROM pg_sleep(0.5)"
    let outcomes = try connection.pipeline(
      [["SELECT 'a'"], [end]]
        + (0..<30).map { _ in ["SELECT 'b'"] })
    #expect(Array(summary(outcomes).prefix(3)) == ["a", "57P01", "connection"])
    #expect(summary(outcomes).last == "notRun")
    guard case .failure(let error) = outcomes[2] else { return }
    #expect(error.outcomeIsUnknown)
    #expect(connection.isUsable == false)
    #expect(throws: PostgresError.self) { try connection.pipeline([["SELECT 1"]]) }
  }
}
