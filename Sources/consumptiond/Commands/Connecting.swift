import PostgreSQL

/// Connections as the configuration wants them.
extension Configuration {
  /// Of the daemon's own connections: a server that takes writes, among several hosts.
  func database() throws(CommandFailure) -> Conninfo {
    try conninfo(connections.database, "database")
  }

  /// Where LISTEN works; nil when it is off.
  func listen() throws(CommandFailure) -> Conninfo? {
    switch connections.listen {
    case .off: nil
    case .database: try database()
    case .direct(let secret): try conninfo(secret, "listen")
    }
  }

  private func conninfo(_ secret: Secret?, _ key: String) throws(CommandFailure) -> Conninfo {
    do throws(PostgresError) {
      return try Conninfo(secret?.revealed ?? "").withDefaults(readWrite: true)
    } catch {
      // libpq's own message quotes the text, and with it a password.
      throw CommandFailure(
        code: .configuration, message: "\(file): \(key): not a libpq conninfo or URI")
    }
  }
}

extension PostgresError {
  /// As a command's failure: away, forbidden, or something that PostgreSQL says about our request.
  var failure: CommandFailure {
    switch (kind, sqlState) {
    case (_, "42501"):
      CommandFailure(code: .permission, message: "\(message)")
    case (.connection, _), (.readOnly, _), (.timeout, _), (.cancelled, _), (.notRun, _):
      CommandFailure(code: .unavailable, message: "the database cannot be used: \(message)")
    case (.conninfo, _): CommandFailure(code: .configuration, message: message)
    case (.server, _):
      CommandFailure(
        code: .data, message: ([message] + [hint].compactMap(\.self)).joined(separator: ". "))
    case (.decoding, _): CommandFailure(code: .internal, message: message)
    }
  }
}
