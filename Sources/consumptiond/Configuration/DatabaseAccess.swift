import PostgreSQL

/// Where the database is, as the configuration and the process's environment say.
struct DatabaseAccess: Sendable {
  /// For errors: the configuration's file, as the user named it.
  let file: String
  let connections: Configuration.DatabaseConnections
  let environment: [String: String]

  /// Of the daemon's own connections: a server that takes writes, among several hosts.
  func database() throws(ConfigurationError) -> Conninfo {
    try conninfo(connections.database, "database")
  }

  /// Where LISTEN works; nil when it is off.
  func listen() throws(ConfigurationError) -> Conninfo? {
    switch connections.listen {
    case .off: nil
    case .database: try database()
    case .direct(let secret): try conninfo(secret, "listen")
    }
  }

  /// Settings from the command line. Who writes an `sslmode` there means it.
  static func stated(
    _ secret: Secret, environment: [String: String]
  ) throws(ConfigurationError) -> Conninfo {
    let access = DatabaseAccess(
      file: "migrate",
      connections: Configuration.DatabaseConnections(
        database: secret, listen: .off, allowInsecureDatabase: statesMode(secret), searchPath: ""),
      environment: environment)
    return try access.conninfo(secret, "--database")
  }

  private static func statesMode(_ secret: Secret) -> Bool {
    do throws(PostgresError) {
      return try Conninfo(secret.revealed)["sslmode"] != nil
    } catch {
      return false
    }
  }

  /// libpq's own message about a bad text quotes it, and with it a password: it is not repeated.
  private func conninfo(_ secret: Secret?, _ key: String) throws(ConfigurationError) -> Conninfo {
    let stated: Conninfo
    do throws(PostgresError) {
      stated = try Conninfo(secret?.revealed ?? "").withDefaults(readWrite: true)
    } catch {
      throw ConfigurationError(
        file: file, path: key,
        problem: "found what libpq cannot read, expected a libpq conninfo or URI")
    }
    let secured = DatabaseSecurity.secured(
      stated, allowInsecure: connections.allowInsecureDatabase, environment: environment)
    guard let secured else {
      throw ConfigurationError(
        file: file, path: key,
        problem: "found an sslmode less than verify-full to another host, expected verify-full, or "
          + "allowInsecureDatabase: true")
    }
    return secured
  }
}

extension Configuration {
  func databaseAccess(_ environment: [String: String]) -> DatabaseAccess {
    DatabaseAccess(file: file, connections: connections, environment: environment)
  }
}
