import PostgreSQL
import TestSupport
import Testing

@Suite("Notifications") struct NotificationTests {
  @Test("What is notified arrives, in order, and does not block when there is nothing")
  func arrive() throws {
    let server = try TestServer.shared()
    let database = try server.createDatabase()
    var listener = try server.connect(to: database)
    var sender = try server.connect(to: database)
    _ = try listener.query("LISTEN work")
    #expect(try listener.notifications().isEmpty)
    _ = try sender.query("SELECT pg_notify('work', 'one'), pg_notify('work', 'two')")
    var arrived: [Notification] = []
    while arrived.count < 2 {
      let more = try listener.notifications(timeout: .seconds(10))
      guard !more.isEmpty else { break }
      arrived += more
    }
    #expect(arrived.map(\.payload) == ["one", "two"])
    #expect(arrived.map(\.channel) == ["work", "work"])
    #expect(arrived.first?.processID == sender.processID)
    #expect(listener.socket >= 0)
  }

  @Test("Those that arrive during a query are not lost") func duringQuery() throws {
    let server = try TestServer.shared()
    let database = try server.createDatabase()
    var connection = try server.connect(to: database)
    _ = try connection.query("LISTEN work")
    _ = try connection.query("NOTIFY work, 'own'")
    _ = try connection.query("SELECT 1")
    #expect(try connection.notifications().map(\.payload) == ["own"])
  }

  @Test("A listener whose server went away is told so") func lost() throws {
    let server = try TestServer.shared()
    var listener = try server.connect(to: "postgres")
    var other = try server.connect(to: "postgres")
    _ = try listener.query("LISTEN work")
    _ = try other.query(
      "SELECT pg_terminate_backend($1::int)", [.inferred("\(listener.processID)")])
    let error = #expect(throws: PostgresError.self) {
      for _ in 0..<3 { _ = try listener.notifications(timeout: .seconds(10)) }
    }
    #expect(error?.kind == .connection)
    #expect(listener.isUsable == false)
  }
}
