import Foundation
import PostgreSQL
import Store
import TestSupport

/// A database of the test's own with the schema installed.
struct InstalledSchema {
  let server: PostgresServer
  let database: String

  init(on server: PostgresServer? = nil) throws {
    self.server = try server ?? TestServer.shared()
    database = try self.server.createDatabase()
    var connection = try self.server.connect(to: database)
    _ = try Migrator.migrate(&connection)
  }

  func connect(as user: String = "postgres") throws -> Connection {
    try server.connect(to: database, user: user)
  }
}

/// A server of its own where `deploy/roles.sql` has run, with a user in each role: roles belong to
/// a whole server, and other suites must not find them.
enum RolesServer {
  static let shared = Result {
    let server = try PostgresServer.start()
    var connection = try server.connect(to: "postgres")
    try connection.script(rolesScript)
    for role in ["enqueue", "consent", "usage", "reader", "support"] {
      try connection.script(
        "CREATE ROLE user_\(role) LOGIN; GRANT consumptiond_\(role) TO user_\(role)")
    }
    try connection.script("CREATE ROLE nobody LOGIN")
    return server
  }

  static let rolesScript = contents(
    of: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("deploy/roles.sql").path)

  /// Roles belong to the whole server: two scripts at once "concurrently update a tuple".
  private static let granting = NSLock()

  /// A database in which the roles may do what `deploy/roles.sql` grants, without the schema.
  static func database() throws -> (server: PostgresServer, name: String) {
    let server = try shared.get()
    let name = try server.createDatabase()
    try granting.withLock {
      var connection = try server.connect(to: name)
      try connection.script(rolesScript)
    }
    return (server, name)
  }

  /// The same with the schema, installed by a superuser.
  static func schema() throws -> (server: PostgresServer, name: String) {
    let (server, name) = try database()
    var connection = try server.connect(to: name)
    _ = try Migrator.migrate(&connection)
    return (server, name)
  }
}

extension Connection {
  /// The first column of the first row.
  mutating func value(_ sql: String, _ parameters: [Parameter] = []) throws -> String? {
    try query(sql, parameters).first?.optionalString(0)
  }

  /// The first column of all rows.
  mutating func values(_ sql: String, _ parameters: [Parameter] = []) throws -> [String] {
    try query(sql, parameters).map { try $0.string(0) }
  }

  /// The SQLSTATE that a statement is refused with; nil when it is not.
  mutating func refusal(_ sql: String, _ parameters: [Parameter] = []) throws -> String? {
    do throws(PostgresError) {
      _ = try query(sql, parameters)
      return nil
    } catch {
      return error.sqlState ?? "no SQLSTATE: \(error.message)"
    }
  }

  /// A request in a state of the test's choice.
  mutating func insertRequest(
    transaction: String = "700001", state: String = "queued", reason: String? = nil,
    changes: String = ""
  ) throws -> Int64 {
    let id = try query(
      """
      INSERT INTO consumptiond.inbox (sha256, done)
      VALUES (sha256(convert_to(gen_random_uuid()::text, 'UTF8')), true) RETURNING id
      """)[0].int64("id")
    _ = try query(
      """
      INSERT INTO consumptiond.request_state
          (id, bundle_id, environment, transaction_id, signed_at, deadline, state, state_reason,
          next_attempt_at, attempts, answered_at)
      VALUES ($1, 'com.example.app', 'Production', $2, '2026-11-30 08:00:00+00',
          '2026-11-30 20:00:00+00', $3, $4,
          CASE WHEN $3 IN ('waiting', 'held') THEN timestamptz '2026-11-30 09:30:00+00' END,
          CASE WHEN $3 = 'answered' THEN 1 ELSE 0 END,
          CASE WHEN $3 = 'answered' THEN timestamptz '2026-11-30 09:00:00+00' END)
      """, [.int(id), .text(transaction), .text(state), .text(reason)])
    _ = try query(
      """
      INSERT INTO consumptiond.request_evidence (id, notification_uuid, original_transaction_id,
          product_id, product_type, received_at, transaction)
      VALUES ($1, gen_random_uuid()::text, '700000', 'pro.monthly', 'Auto-Renewable Subscription',
          '2026-11-30 08:00:01+00', '{}')
      """, [.int(id)])
    if !changes.isEmpty {
      _ = try query(
        "UPDATE consumptiond.request_state SET \(changes) WHERE id = $1", [.int(id)])
    }
    return id
  }
}
