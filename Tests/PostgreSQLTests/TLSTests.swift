import PostgreSQL
import TestSupport
import Testing

@Suite("Over TLS") struct TLSTests {
  @Test("Large pipelines, deadlines and cancelling work over TLS as well") func pipeline() throws {
    let server = try PostgresServer.start()
    defer { server.remove() }
    let data = "\(server.folder)/data"
    try shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
        -subj /CN=localhost -keyout \(data)/server.key -out \(data)/server.crt
      chmod 600 \(data)/server.key
      chown --reference=\(data) \(data)/server.key \(data)/server.crt
      """)
    var admin = try server.connect(to: "postgres")
    _ = try admin.query("ALTER SYSTEM SET ssl = on")
    _ = try admin.query("SELECT pg_reload_conf()")
    let info = try Conninfo(
      "host=127.0.0.1 port=\(server.port) dbname=postgres user=postgres sslmode=require")
    try waitUntil("the server speaks TLS") {
      (try? Connection(info, timeout: .seconds(5))) != nil
    }
    var connection = try Connection(info, timeout: .seconds(10))
    #expect(
      try connection.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].bool(0))
    let megabyte = String(repeating: "x", count: 1_000_000)
    let outcomes = try connection.pipeline(
      (0..<20).map { _ in [Statement("SELECT $1 || $1", [.text(megabyte)])] },
      timeout: .seconds(30))
    for outcome in outcomes {
      #expect(try outcome.get()[0].string(0).utf8.count == 2_000_000)
    }
    let error = #expect(throws: PostgresError.self) {
      try connection.query("SELECT pg_sleep(60)", timeout: .milliseconds(100))
    }
    #expect(error?.kind == .timeout)
    #expect(try connection.query("SELECT 1").count == 1)
  }
}
