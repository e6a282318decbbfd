import Foundation
import PostgreSQL
import TestSupport

/// A test's own connection to the database of its bench.
///
/// Unchecked: the connection is touched under the lock alone.
final class Database: @unchecked Sendable {
  let server: PostgresServer
  let name: String
  private let lock = NSLock()
  private var connection: Connection?

  init(_ server: PostgresServer, _ name: String) {
    self.server = server
    self.name = name
  }

  var conninfo: String { server.conninfo(database: name) }

  @discardableResult
  func query(_ sql: String, _ parameters: Parameter...) throws -> [[String?]] {
    let rows = try run(sql, parameters)
    return try rows.map { row in try rows.columns.indices.map { try row.optionalString($0) } }
  }

  /// The first column of the first row.
  func value(_ sql: String, _ parameters: Parameter...) throws -> String? {
    try run(sql, parameters).first?.optionalString(0)
  }

  func isTrue(_ sql: String, _ parameters: Parameter...) throws -> Bool {
    try run(sql, parameters).first?.optionalString(0) == "t"
  }

  private func run(_ sql: String, _ parameters: [Parameter]) throws -> Rows {
    lock.lock()
    defer { lock.unlock() }
    if connection?.isUsable != true { connection = try server.connect(to: name) }
    guard let rows = try connection?.query(sql, parameters, timeout: .seconds(20)) else {
      throw TestSupportError("no connection")
    }
    return rows
  }

  /// Ends every other connection to this database, or those that wait for a lock, and waits until
  /// they are gone.
  func endBackends(thatWait: Bool = false) async throws {
    let pids = try query(
      """
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND backend_type = 'client backend' AND (NOT $1 OR wait_event_type = 'Lock')
      """, .bool(thatWait)
    ).compactMap { $0[0].flatMap { Int64($0) } }
    let parameter = Parameter.array(pids)
    try query("SELECT pg_terminate_backend(p::integer) FROM unnest($1) p", parameter)
    try await until("the connections have ended") {
      try self.value(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY ($1)", parameter) == "0"
    }
  }

  /// Whether somebody stands before a lock on the table.
  func isAwaited(_ table: String) throws -> Bool {
    try isTrue(
      """
      SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      """, .text(table))
  }

  func close() {
    lock.lock()
    defer { lock.unlock() }
    connection = nil
  }
}

/// A lock on a table, held until it is released: what stops a daemon before that table.
final class TableLock: @unchecked Sendable {
  private let lock = NSLock()
  private var connection: Connection?

  /// - Parameter mode: `ACCESS EXCLUSIVE` stops readers too, `EXCLUSIVE` writers alone.
  init(_ table: String, mode: String = "ACCESS EXCLUSIVE", in database: Database) throws {
    var connection = try database.server.connect(to: database.name)
    _ = try connection.query("BEGIN")
    _ = try connection.query("LOCK TABLE \(table) IN \(mode) MODE", timeout: .seconds(20))
    self.connection = consume connection
  }

  func release() {
    lock.lock()
    defer { lock.unlock() }
    connection = nil
  }
}
