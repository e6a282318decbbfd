public import PostgreSQL
internal import Schema

/// Brings the schema `consumptiond` to the version that this program knows.
///
/// Everything happens in one transaction under an advisory lock, so that two at once are safe and a
/// failure leaves nothing half done. A lock that cannot be had within half a second is let go and
/// asked for again: an ALTER that waits behind a long reader would block `enqueue` for as long.
public enum Migrator {
  /// The newest version among the migrations.
  public static let currentVersion = SQL.migrations.map(\.version).max() ?? 0

  /// What a migration did: the version before (0: nothing was there) and after.
  public struct Report: Sendable, Equatable {
    public let from: Int
    public let to: Int
  }

  /// Everything that a migration from nothing runs, for people who want to read it first.
  public static var script: String {
    let statements = SQL.migrations.flatMap { migration in
      [migration.statements, recording(migration) + ";\n"]
    }
    return (["BEGIN;\nCREATE SCHEMA consumptiond;\n"] + statements + SQL.objects + ["COMMIT;\n"])
      .joined(separator: "\n")
  }

  /// - Throws: `.server` with SQLSTATE 55000 when the database's schema is newer than this program;
  ///   55P03 when its tables stay locked for half a minute; whatever PostgreSQL says otherwise.
  public static func migrate(_ connection: inout Connection) throws(PostgresError) -> Report {
    for _ in 1..<60 {
      do throws(PostgresError) {
        return try migrateOnce(&connection)
      } catch let error where error.sqlState == "55P03" {
        continue
      }
    }
    return try migrateOnce(&connection)
  }

  private static func migrateOnce(_ connection: inout Connection) throws(PostgresError) -> Report {
    try connection.transaction { connection throws(PostgresError) in
      // A snapshot from before the lock would not see what the one before us installed.
      _ = try connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE")
      _ = try connection.query("SELECT set_config('lock_timeout', '500ms', true)")
      _ = try connection.query(
        "SELECT pg_advisory_xact_lock(hashtextextended('consumptiond.migrate', 0))")
      try takeOwnership(&connection)
      let from = try installedVersion(&connection)
      guard from <= currentVersion else { throw newerSchema(from) }
      if from == 0 { try createSchema(&connection) }
      for migration in SQL.migrations where migration.version > from {
        try connection.script(migration.statements, timeout: .seconds(600))
        _ = try connection.query(recording(migration))
      }
      for object in SQL.objects { try connection.script(object, timeout: .seconds(60)) }
      return Report(from: from, to: currentVersion)
    }
  }

  /// The objects belong to `consumptiond_owner`, who cannot log in, when that role exists and we may
  /// become it; unless somebody else owns an installed schema already. From PostgreSQL 16 on, whoever
  /// made a role is its member without the right to become it.
  private static func takeOwnership(_ connection: inout Connection) throws(PostgresError) {
    _ = try connection.query(
      """
      SELECT set_config('role', 'consumptiond_owner', true) FROM pg_roles r
      WHERE r.rolname = 'consumptiond_owner'
        AND pg_has_role(r.oid, CASE WHEN $1 THEN 'SET' ELSE 'MEMBER' END)
        AND NOT EXISTS (
          SELECT FROM pg_namespace n WHERE n.nspname = 'consumptiond' AND n.nspowner <> r.oid)
      """, [.bool(connection.serverVersion >= 160_000)])
  }

  private static func createSchema(_ connection: inout Connection) throws(PostgresError) {
    let found = try connection.query("SELECT to_regnamespace('consumptiond') IS NOT NULL AS found")
    if let row = found.first, try row.bool("found") { return }
    _ = try connection.query("CREATE SCHEMA consumptiond")
  }

  /// The version that the database has; 0 when nothing is installed.
  public static func installedVersion(
    _ connection: inout Connection
  ) throws(PostgresError) -> Int {
    let installed = try connection.query(
      "SELECT to_regclass('consumptiond.schema_version') IS NOT NULL AS installed")
    guard let row = installed.first, try row.bool("installed") else { return 0 }
    let version = try connection.query(
      "SELECT coalesce(max(version), 0) AS version FROM consumptiond.schema_version")
    return try version.first?.int("version") ?? 0
  }

  /// What a program needs to know before it works: that the schema is there and not too new.
  ///
  /// - Returns: null when all is well, else one line that says what to do.
  public static func complaint(_ connection: inout Connection) throws(PostgresError) -> String? {
    let installed = try installedVersion(&connection)
    guard installed > 0 else {
      return "the schema consumptiond is not installed: run `consumptiond migrate`"
    }
    guard installed >= currentVersion else {
      return "the schema consumptiond has version \(installed) and this program needs "
        + "\(currentVersion): run `consumptiond migrate`"
    }
    let needed = try connection.query(
      "SELECT coalesce(max(min_daemon), 0) AS needed FROM consumptiond.schema_version")
    guard let row = needed.first, try row.int("needed") <= currentVersion else {
      return "the schema consumptiond has version \(installed), which this program is too old for: "
        + "install a newer consumptiond"
    }
    return nil
  }

  private static func recording(
    _ migration: (version: Int, minimumDaemon: Int, statements: String)
  ) -> String {
    "INSERT INTO consumptiond.schema_version (version, min_daemon) "
      + "VALUES (\(migration.version), \(migration.minimumDaemon))"
  }

  private static func newerSchema(_ version: Int) -> PostgresError {
    PostgresError(
      kind: .server, sqlState: "55000",
      message: "the schema consumptiond has version \(version), newer than the "
        + "\(currentVersion) that this program knows",
      hint: "Install a newer consumptiond; nothing was changed.")
  }
}
