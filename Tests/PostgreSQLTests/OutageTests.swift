import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Outages") struct OutageTests {
  @Test("A server that dies mid-query: connection lost, outcome unknown; a new one works after")
  func crash() throws {
    let server = try PostgresServer.start()
    defer { server.remove() }
    var connection = try server.connect(to: "postgres")
    let helper = Background {
      var other = try server.connect(to: "postgres")
      try waitUntil("the statement runs") {
        try other.query(
          "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")[0].int(0) == 1
      }
      try server.stop(.immediate)
    }
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT pg_sleep(60)", timeout: .seconds(30))
    }
    try helper.value()
    #expect(error?.kind == .connection)
    #expect(error?.outcomeIsUnknown == true)
    #expect(connection.isUsable == false)
    let refused = #expect(throws: PostgresError.self) { _ = try server.connect(to: "postgres") }
    #expect(refused?.kind == .connection)
    try server.start()
    var next = try server.connect(to: "postgres")
    #expect(try next.query("SELECT 1").count == 1)
    try server.restart()
    let idle = #expect(throws: PostgresError.self) { try next.query("SELECT 1") }
    #expect(idle?.kind == .connection)
  }

  @Test("Connections opened and closed, failed and cancelled leave no descriptor behind")
  func descriptors() throws {
    let server = try PostgresServer.start()
    defer { server.remove() }
    // Descriptors of other suites come and go; only sockets of this server are counted.
    func sockets() throws -> Int {
      try shell(
        "ls -l /proc/\(ProcessInfo.processInfo.processIdentifier)/fd | grep -c socket: || true"
      ).split(separator: "\n")
        .compactMap { Int($0) }.first ?? 0
    }
    let before = try sockets()
    for round in 0..<200 {
      var connection = try server.connect(to: "postgres")
      if round % 10 == 0 {
        #expect(throws: PostgresError.self) {
          try connection.query("SELECT pg_sleep(9)", timeout: .milliseconds(5))
        }
        #expect(throws: PostgresError.self) { _ = try server.connect(to: "absent") }
      }
    }
    try waitUntil("the descriptors are closed") { try sockets() < before + 100 }
  }
}
