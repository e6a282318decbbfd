import PostgreSQL
import Schema
import TestSupport
import Testing

@testable import Store

@Suite("Migrations") struct MigrationTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
  }

  private func migrate() throws -> Migrator.Report {
    var connection = try server.connect(to: database)
    return try Migrator.migrate(&connection)
  }

  /// Every column, function, constraint and grant.
  private static let fingerprint = """
    SELECT md5(string_agg(line, E'\\n' ORDER BY line)) FROM (
        SELECT format('%s %s %s %s', c.relname, c.relacl, a.attname, a.attacl) AS line
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'consumptiond'::regnamespace
        UNION ALL
        SELECT format('%s %s %s', p.oid::regprocedure, p.proacl, md5(p.prosrc)) FROM pg_proc p
        WHERE p.pronamespace = 'consumptiond'::regnamespace
        UNION ALL
        SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'consumptiond'::regnamespace) x
    """

  @Test("A second migration changes nothing") func twice() throws {
    #expect(try migrate() == Migrator.Report(from: 0, to: Migrator.currentVersion))
    var connection = try server.connect(to: database)
    let before = try connection.value(Self.fingerprint)
    #expect(
      try migrate()
        == Migrator.Report(from: Migrator.currentVersion, to: Migrator.currentVersion))
    #expect(try connection.value(Self.fingerprint) == before)
    #expect(before != nil)
  }

  @Test("Several at once do it once", arguments: ["read committed", "serializable"])
  func atOnce(isolation: String) throws {
    var connection = try server.connect(to: database)
    _ = try connection.query(
      "ALTER DATABASE \(database) SET default_transaction_isolation = '\(isolation)'")
    let (server, database) = (server, database)
    let migrations = (0..<4).map { _ in
      Background {
        var connection = try server.connect(to: database)
        return try Migrator.migrate(&connection)
      }
    }
    let reports = try migrations.map { try $0.value() }
    #expect(reports.filter { $0.from == 0 }.count == 1)
    #expect(
      try connection.value("SELECT count(*) FROM consumptiond.schema_version")
        == "\(SQL.migrations.count)")
  }

  @Test("A failure at its end leaves nothing") func failure() throws {
    var connection = try server.connect(to: database)
    try connection.script(
      """
      CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no views today'; END $$;
      CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('CREATE VIEW')
          EXECUTE FUNCTION refuse();
      """)
    #expect(throws: PostgresError.self) { try migrate() }
    #expect(try connection.value("SELECT to_regnamespace('consumptiond')") == nil)
    try connection.script("DROP EVENT TRIGGER refuse")
    #expect(try migrate().from == 0)
  }

  @Test("Somebody else's table in the way is left alone") func foreignTable() throws {
    var connection = try server.connect(to: database)
    try connection.script(
      "CREATE SCHEMA consumptiond; CREATE TABLE consumptiond.attempt (mine integer)")
    let error = #expect(throws: PostgresError.self) { try migrate() }
    #expect(error?.sqlState == "42P07")
    #expect(
      try connection.values(
        "SELECT relname FROM pg_class WHERE relnamespace = 'consumptiond'::regnamespace")
        == ["attempt"])
  }

  @Test("An empty schema of that name is used") func emptySchema() throws {
    var connection = try server.connect(to: database)
    try connection.script("CREATE SCHEMA consumptiond")
    #expect(try migrate().from == 0)
  }

  @Test("A newer schema is refused and not touched") func newer() throws {
    _ = try migrate()
    var connection = try server.connect(to: database)
    try connection.script(
      """
      INSERT INTO consumptiond.schema_version (version, min_daemon) VALUES (99, 1);
      DROP FUNCTION consumptiond.enqueue(text, boolean);
      """)
    let error = #expect(throws: PostgresError.self) { try migrate() }
    #expect(error?.sqlState == "55000")
    #expect(error?.message.contains("version 99") == true)
    #expect(
      try connection.value("SELECT to_regprocedure('consumptiond.enqueue(text, boolean)')") == nil)
  }

  @Test("A program says what keeps it from working with a schema") func complaints() throws {
    var connection = try server.connect(to: database)
    #expect(try Migrator.complaint(&connection)?.contains("not installed") == true)
    _ = try migrate()
    #expect(try Migrator.complaint(&connection) == nil)
    // Newer, and made so that older programs go on.
    try connection.script("INSERT INTO consumptiond.schema_version VALUES (98, 1)")
    #expect(try Migrator.complaint(&connection) == nil)
    try connection.script("INSERT INTO consumptiond.schema_version VALUES (99, 99)")
    #expect(try Migrator.complaint(&connection)?.contains("too old") == true)
  }

  @Test("A migration behind a long reader holds nobody up") func longReader() throws {
    _ = try migrate()
    var reader = try server.connect(to: database)
    _ = try reader.query("BEGIN")
    _ = try reader.query("SELECT FROM consumptiond.request")
    let (server, database) = (server, database)
    let migration = Background {
      var connection = try server.connect(to: database)
      return try Migrator.migrate(&connection)
    }
    var connection = try server.connect(to: database)
    let isWaiting = """
      SELECT count(*) > 0 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
      """
    try waitUntil("the migration waits") { try connection.value(isWaiting) == "t" }
    // It lets go after half a second, so whoever comes behind it waits no longer.
    let begun = ContinuousClock.now
    _ = try connection.query("SELECT count(*) FROM consumptiond.request", timeout: .seconds(3))
    #expect(ContinuousClock.now - begun < .seconds(2))
    _ = try reader.query("COMMIT")
    #expect(try migration.value().from == Migrator.currentVersion)
  }

  @Test("What --print shows installs the same") func script() throws {
    _ = try migrate()
    var migrated = try server.connect(to: database)
    var printed = try server.connect(to: try server.createDatabase())
    try printed.script(Migrator.script, timeout: .seconds(60))
    #expect(
      try printed.value(Self.fingerprint) == migrated.value(Self.fingerprint))
    #expect(try Migrator.complaint(&printed) == nil)
  }
}
