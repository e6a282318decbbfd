import AppStore
import PostgreSQL
import Store

/// The connection, the server and the settings that reach the daemon.
enum CheckDatabase {
  /// Below it the clocks agree.
  private static let toleratedSkew = Duration.seconds(5)
  private static let oldestServer = 140_000

  /// The facts, and how far the host's clock is ahead of the database's.
  static func clocked(
    on connection: inout Connection
  ) throws(PostgresError) -> (facts: DatabaseFacts, skew: Duration) {
    let before = Instant.now()
    let facts = try DatabaseFacts.read(on: &connection)
    let middle = before + (Instant.now() - before) / 2
    return (facts, middle - facts.now)
  }

  static func findings(_ facts: DatabaseFacts, skew: Duration) -> [Finding] {
    [
      server(facts), role(facts), readOnly(facts), isolation(facts), durability(facts),
      timeout(facts), temporary(facts), logging(facts), clock(skew),
    ].compactMap(\.self)
  }

  private static func server(_ facts: DatabaseFacts) -> Finding {
    if facts.isStandby {
      return .wrong(
        "database", "PostgreSQL \(facts.version), a standby: it takes no writes",
        "name the primary, or all hosts: the one that takes writes is chosen")
    }
    guard facts.versionNumber >= oldestServer else {
      return .wrong("database", "PostgreSQL \(facts.version), expected 14 or newer")
    }
    guard facts.encoding == "UTF8" else {
      return .doubtful(
        "database", "its encoding is \(facts.encoding): what it cannot hold is refused",
        "a database with the encoding UTF8")
    }
    return .fine("database", "PostgreSQL \(facts.version), a primary, as \(facts.role)")
  }

  private static func role(_ facts: DatabaseFacts) -> Finding? {
    guard facts.isSuperuser else { return nil }
    return .doubtful(
      "role", "\(facts.role) is a superuser: your queries may then read, and call, everything",
      "deploy/roles.sql makes a role of its own")
  }

  private static func readOnly(_ facts: DatabaseFacts) -> Finding? {
    guard facts.isReadOnly, !facts.isStandby else { return nil }
    return .wrong(
      "default_transaction_read_only", "on: nothing can be claimed",
      "ALTER ROLE \(facts.role) SET default_transaction_read_only = off")
  }

  private static func isolation(_ facts: DatabaseFacts) -> Finding? {
    guard facts.isolation != "read committed" else { return nil }
    return .wrong(
      "default_transaction_isolation", "\(facts.isolation): most claims would fail",
      "ALTER ROLE \(facts.role) SET default_transaction_isolation = 'read committed'")
  }

  private static func durability(_ facts: DatabaseFacts) -> Finding? {
    guard facts.synchronousCommit == "off" else { return nil }
    return .doubtful(
      "synchronous_commit", "off: a crash of the server forgets what was sent just before",
      "ALTER ROLE \(facts.role) SET synchronous_commit = on")
  }

  private static func timeout(_ facts: DatabaseFacts) -> Finding? {
    guard facts.statementTimeout > 0, facts.statementTimeout < 5000 else { return nil }
    return .doubtful(
      "statement_timeout",
      "\(facts.statementTimeout) ms: statements of the queue may be cut short on a busy day",
      "ALTER ROLE \(facts.role) SET statement_timeout = '30s'")
  }

  private static func temporary(_ facts: DatabaseFacts) -> Finding? {
    guard !facts.mayCreateTemporary else { return nil }
    return .wrong(
      "role", "\(facts.role) may make no temporary tables, by which rules are validated",
      "GRANT TEMPORARY ON DATABASE … TO \(facts.role)")
  }

  /// The webhook's role is another one, but mostly the server's settings are what counts.
  private static func logging(_ facts: DatabaseFacts) -> Finding? {
    if facts.logsStatements, facts.loggedParameterBytes != 0 {
      return .doubtful(
        "log_parameter_max_length",
        "\(facts.loggedParameterBytes) while statements are logged: the server's log holds signed "
          + "payloads",
        "as in deploy/roles.sql, for the webhook's role and for \(facts.role): "
          + "SET log_parameter_max_length = 0")
    }
    guard facts.loggedParameterBytesOnError != 0 else { return nil }
    return .doubtful(
      "log_parameter_max_length_on_error",
      "\(facts.loggedParameterBytesOnError): an error writes signed payloads to the server's log",
      "SET log_parameter_max_length_on_error = 0, for the webhook's role and for \(facts.role)")
  }

  private static func clock(_ skew: Duration) -> Finding {
    let seconds = skew / .seconds(1)
    let shown =
      "\(Int64((seconds * 10).rounded()).magnitude / 10).\(Int64((seconds * 10).rounded()).magnitude % 10) s"
    let direction = skew < .zero ? "behind" : "ahead of"
    guard skew > toleratedSkew || skew < .zero - toleratedSkew else {
      return .fine("clock", "this host's differs by \(shown) from the database's")
    }
    return .doubtful(
      "clock", "this host's is \(shown) \(direction) the database's",
      "the database's clock rules deadlines and this host's signs tokens: run NTP on both")
  }
}
