import Foundation
public import PostgreSQL

/// A PostgreSQL in a temporary folder, reached over a unix socket and over 127.0.0.1, where every
/// user is trusted.
public struct PostgresServer: Sendable {
  /// How `pg_ctl` stops a server.
  public enum StopMode: String, Sendable {
    /// Disconnects everybody and shuts down in order.
    case fast
    /// As if the machine had lost its power.
    case immediate
  }

  /// Holds the data, the socket and the log; everybody may enter it.
  public let folder: String
  public let port: Int

  private static let databases = Counter()

  /// Makes a cluster and starts it.
  ///
  /// - Parameter extraSettings: Lines for `postgresql.conf`, for example
  ///   `["synchronous_standby_names": "'nobody'"]`.
  public static func start(extraSettings: [String: String] = [:]) throws -> PostgresServer {
    let folder = try temporaryFolder(prefix: "consumptiond-postgres-")
    try Watchdog.start(removing: folder, stopping: "\(folder)/data")
    // The server runs as another user when the tests run as root.
    try shell("chmod 755 \(folder)")
    if ServerPrograms.isRoot { try shell("chown postgres \(folder)") }
    try ServerPrograms.run(
      "initdb",
      ["-D", "\(folder)/data", "-A", "trust", "-U", "postgres", "-E", "UTF8"]
        + ["--locale=C", "--no-sync", "--no-instructions"])
    // Another process may take the port between our looking and the server's binding.
    for _ in 0..<4 {
      let server = PostgresServer(folder: folder, port: try freePort())
      try server.writeSettings(extraSettings)
      do {
        try server.start()
        return server
      } catch {
        continue
      }
    }
    throw TestSupportError("PostgreSQL does not start: \(contents(of: "\(folder)/log"))")
  }

  /// Starts a stopped server and waits until it takes connections.
  public func start() throws {
    try ServerPrograms.run(
      "pg_ctl", ["-D", "\(folder)/data", "-l", "\(folder)/log", "-w", "-t", "30", "start"])
  }

  public func stop(_ mode: StopMode = .fast) throws {
    try ServerPrograms.run(
      "pg_ctl", ["-D", "\(folder)/data", "-m", mode.rawValue, "-w", "-t", "30", "stop"])
  }

  public func restart(_ mode: StopMode = .fast) throws {
    try stop(mode)
    try start()
  }

  /// Stops the server and removes its folder now instead of when the process ends.
  public func remove() {
    try? stop(.immediate)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Connection settings over the unix socket.
  public func conninfo(database: String, user: String = "postgres") -> String {
    "host=\(folder) port=\(port) dbname=\(database) user=\(user)"
  }

  /// Connection settings over TCP, for a proxy or a pooler in between.
  public func loopbackConninfo(
    database: String, user: String = "postgres", port: Int? = nil
  ) -> String {
    "host=127.0.0.1 port=\(port ?? self.port) dbname=\(database) user=\(user) sslmode=disable"
  }

  /// Makes an empty database and returns its name, unique in this server.
  public func createDatabase() throws -> String {
    let name = "test_\(Self.databases.next())"
    var connection = try connect(to: "postgres")
    _ = try connection.query("CREATE DATABASE \(name)", timeout: .seconds(60))
    return name
  }

  /// A new connection over the unix socket.
  public func connect(
    to database: String, user: String = "postgres"
  ) throws -> Connection {
    try Connection(Conninfo(conninfo(database: database, user: user)), timeout: .seconds(30))
  }

  private func writeSettings(_ extra: [String: String]) throws {
    var lines = [
      "listen_addresses = '127.0.0.1'", "port = \(port)", "unix_socket_directories = '\(folder)'",
      "max_connections = 200", "fsync = off", "full_page_writes = off", "shared_buffers = 64MB",
      "max_wal_size = 256MB", "lc_messages = 'C'", "log_min_messages = warning",
    ]
    lines += extra.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    // Read last, so it wins over postgresql.conf.
    let file = "\(folder)/data/postgresql.auto.conf"
    try lines.joined(separator: "\n").appending("\n").write(
      toFile: file, atomically: false, encoding: .utf8)
  }
}
