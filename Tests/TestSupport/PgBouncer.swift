import Foundation

/// A PgBouncer in transaction mode in front of a server, with two server connections a database.
public struct PgBouncer: Sendable {
  public let port: Int
  private let folder: String

  /// Whether it is installed.
  public static let isAvailable = program != nil

  private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Starts it; it is removed when the process ends, or by `stop`.
  public static func start(for server: PostgresServer) throws -> PgBouncer {
    guard let program else { throw TestSupportError("pgbouncer is not installed") }
    let folder = try temporaryFolder(prefix: "consumptiond-pgbouncer-")
    let bouncer = PgBouncer(port: try freePort(), folder: folder)
    let settings = """
      [databases]
      * = host=127.0.0.1 port=\(server.port)
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(bouncer.port)
      unix_socket_dir =
      auth_type = trust
      auth_file = \(folder)/users
      pool_mode = transaction
      default_pool_size = 2
      logfile = \(folder)/log
      pidfile = \(folder)/pid
      """
    try settings.write(toFile: "\(folder)/ini", atomically: false, encoding: .utf8)
    try "\"postgres\" \"\"\n".write(toFile: "\(folder)/users", atomically: false, encoding: .utf8)
    if ServerPrograms.isRoot { try shell("chown -R postgres \(folder)") }
    try Watchdog.start("kill $(cat \(folder)/pid); rm -rf \(folder)")
    try ServerPrograms.asServerUser([program, "-d", "-q", "\(folder)/ini"])
    try waitUntil("pgbouncer listens") {
      guard let descriptor = try? connectedSocket(to: bouncer.port) else { return false }
      close(descriptor)
      return true
    }
    return bouncer
  }

  public func stop() {
    _ = try? shell("kill $(cat \(folder)/pid)")
    try? FileManager.default.removeItem(atPath: folder)
  }
}
