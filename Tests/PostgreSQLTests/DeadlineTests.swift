import PostgreSQL
import TestSupport
import Testing

@Suite("Deadlines") struct DeadlineTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
  }

  @Test("An overdue statement is cancelled and the connection goes on") func timeout() throws {
    var connection = try server.connect(to: database)
    for _ in 0..<20 {
      let start = ContinuousClock.now
      let error = #expect(throws: PostgresError.self) {
        try connection.query("SELECT pg_sleep(60)", timeout: .milliseconds(30))
      }
      #expect(error?.kind == .timeout)
      #expect(error?.outcomeIsUnknown == false)
      #expect(start.duration(to: .now) < .seconds(5))
      // The cancel request must not reach the next statement.
      #expect(try connection.query("SELECT 1").count == 1)
    }
  }

  @Test("A statement that finishes while it is being cancelled is a success") func late() throws {
    var connection = try server.connect(to: database)
    // It catches the cancellation, as a statement does that is through when the request arrives.
    try connection.script(
      """
      CREATE FUNCTION stubborn() RETURNS int LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN RETURN 7; END $$
      """)
    let rows = try connection.query("SELECT stubborn()", timeout: .milliseconds(50))
    #expect(try rows[0].int(0) == 7)
  }

  @Test("A statement that does not let itself be cancelled costs the connection") func stubborn()
    throws
  {
    var connection = try server.connect(to: database)
    try connection.script(
      """
      CREATE FUNCTION deaf() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN LOOP BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN END; END LOOP; END $$
      """)
    let start = ContinuousClock.now
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT deaf()", timeout: .milliseconds(50))
    }
    let time = start.duration(to: .now)
    #expect(time > .seconds(0.9) && time < .seconds(5))
    #expect(error?.kind == .timeout)
    #expect(error?.outcomeIsUnknown == true)
    #expect(connection.isUsable == false)
    var other = try server.connect(to: database)
    _ = try other.query("SELECT pg_terminate_backend($1)", [.typed("\(connection.processID)", 23)])
  }

  @Test("A result that never stops coming is stopped too") func endless() throws {
    var connection = try server.connect(to: database)
    let error = #expect(throws: PostgresError.self) {
      try connection.query(
        "SELECT generate_series(1, 1000000000)", timeout: .milliseconds(100))
    }
    #expect(error?.kind == .timeout)
    #expect(connection.isUsable == true)
    let outcomes = try connection.pipeline(
      Array(repeating: ["SELECT 1"], count: 100_000), timeout: .milliseconds(100))
    guard case .failure(let last)? = outcomes.last else { return }
    #expect(last.kind == .notRun)
    #expect(try outcomes[0].get().count == 1)
    #expect(try connection.query("SELECT 1").count == 1)
  }

  @Test("Another thread cancels what runs") func canceller() throws {
    var connection = try server.connect(to: database)
    let (server, database) = (server, database)
    let (canceller, pid) = (connection.canceller, connection.processID)
    let helper = Background {
      var other = try server.connect(to: database)
      try waitUntil("the statement runs") {
        try other.query(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE pid = $1::int AND state = 'active' AND wait_event = 'PgSleep'
          """, [.inferred("\(pid)")])[0].int(0) == 1
      }
      canceller.cancel()
    }
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT pg_sleep(60)", timeout: .seconds(30))
    }
    try helper.value()
    #expect(error?.kind == .cancelled)
    #expect(error?.sqlState == "57014")
    #expect(try connection.query("SELECT 1").count == 1)
  }

  @Test("A peer that accepts and never answers costs the connect deadline, no more")
  func silentPeer() throws {
    let peer = try ListeningSocket()
    let start = ContinuousClock.now
    let info = try Conninfo("host=127.0.0.1 port=\(peer.port) dbname=x password=hunter2")
    let error = #expect(throws: PostgresError.self) {
      _ = try Connection(info, timeout: .milliseconds(400))
    }
    let time = start.duration(to: .now)
    #expect(time >= .milliseconds(400) && time < .seconds(1.9))
    #expect(error?.kind == .connection)
    #expect("\(String(describing: error))".contains("hunter2") == false)
  }

  @Test("A silent first host does not eat the time of the second") func secondHost() throws {
    let peer = try ListeningSocket()
    let info = try Conninfo(
      "host=127.0.0.1,127.0.0.1 port=\(peer.port),\(server.port) dbname=\(database) user=postgres"
    ).withDefaults(readWrite: true)
    var connection = try Connection(info, timeout: .seconds(10))
    #expect(try connection.query("SELECT 1").count == 1)
  }

  @Test("A network that goes silent during a statement costs its deadline and the connection")
  func silentNetwork() throws {
    let proxy = try StallingProxy(to: server.port)
    defer { proxy.close() }
    let info = try Conninfo(server.loopbackConninfo(database: database, port: proxy.port))
    var connection = try Connection(info, timeout: .seconds(10))
    var other = try Connection(info, timeout: .seconds(10))
    #expect(try connection.query("SELECT 1").count == 1)
    proxy.stall()
    var start = ContinuousClock.now
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT 1", timeout: .milliseconds(200))
    }
    #expect(start.duration(to: .now) < .seconds(5))
    #expect(error?.kind == .timeout)
    #expect(error?.outcomeIsUnknown == true)
    #expect(connection.isUsable == false)
    start = .now
    let megabytes = String(repeating: "x", count: 12_000_000)
    let outcomes = try other.pipeline(
      [[Statement("SELECT length($1)", [.text(megabytes)])]]
        + (0..<30).map { _ in ["SELECT 1"] }, timeout: .milliseconds(200))
    #expect(start.duration(to: .now) < .seconds(5))
    let errors = outcomes.compactMap { outcome -> PostgresError? in
      if case .failure(let error) = outcome { error } else { nil }
    }
    #expect(errors.count == 31)
    #expect(errors.first?.kind == .timeout)
    #expect(errors.first?.outcomeIsUnknown == true)
    #expect(errors.last?.kind == .notRun)
    #expect(other.isUsable == false)
  }
}
