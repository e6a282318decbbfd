import PostgreSQL
import Simulation
import TestSupport

/// PostgreSQL for benches: a server, and in it a database that each bench copies.
struct BenchServer: Sendable {
  let server: PostgresServer
  private let template: String

  /// The server that most benches share.
  static func shared() throws -> BenchServer { try started.get() }

  private static let started = Result {
    try BenchServer(PostgresServer.start(extraSettings: ["max_connections": "600"]))
  }

  /// The app's own tables, and the schema as `consumptiond migrate` makes it.
  private static let tables = """
    CREATE TABLE account (id bigint PRIMARY KEY, app_account_token uuid);
    CREATE TABLE purchase (original_transaction_id text, account_id bigint);
    CREATE TABLE consent (account_id bigint, granted boolean, at timestamptz DEFAULT now());
    CREATE TABLE generation (account_id bigint, created_at timestamptz, cost_usd numeric);
    CREATE INDEX ON generation (account_id, created_at);
    """

  init(_ server: PostgresServer) throws {
    self.server = server
    template = try server.createDatabase()
    var connection = try server.connect(to: template)
    try connection.script(Self.tables, timeout: .seconds(20))
    let folder = try temporaryFolder()
    defer { _ = try? shell("rm -rf \(folder)") }
    var configuration = try BenchConfiguration(folder: folder)
    configuration.complete(
      database: server.conninfo(database: template), endpoint: "http://127.0.0.1:1")
    try configuration.makeFiles()
    try configuration.write()
    try shell("'\(Program.path)' migrate --config \(folder)/consumptiond.json")
  }

  func makeDatabase() throws -> Database {
    let name = "bench_\(Self.numbers.next())"
    var connection = try server.connect(to: "postgres")
    _ = try connection.query(
      "CREATE DATABASE \(name) TEMPLATE \(template)", timeout: .seconds(120))
    return Database(server, name)
  }

  private static let numbers = Locked(0)
}

extension Locked<Int> {
  /// A number that was not given before.
  func next() -> Int {
    withLock { value in
      value += 1
      return value
    }
  }
}
