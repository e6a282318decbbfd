public import AppStore
public import PostgreSQL
internal import Schema

/// What a daemon's connection is, and what settings of the server, the database and the role would
/// do to it.
public struct DatabaseFacts: Sendable, Equatable {
  public let role: String
  public let version: String
  /// 150008 is 15.8.
  public let versionNumber: Int
  public let encoding: String
  public let isStandby: Bool
  public let isSuperuser: Bool
  /// `default_transaction_read_only`
  public let isReadOnly: Bool
  public let isolation: String
  public let synchronousCommit: String
  /// In milliseconds; 0: none.
  public let statementTimeout: Int64
  /// Whether statements, or some of them, are logged with their parameters.
  public let logsStatements: Bool
  /// Bytes of each parameter that are logged; -1: all, 0: none.
  public let loggedParameterBytes: Int64
  public let loggedParameterBytesOnError: Int64
  /// The rules are validated by way of a temporary table.
  public let mayCreateTemporary: Bool
  /// The database's clock.
  public let now: Instant

  public static func read(on connection: inout Connection) throws(PostgresError) -> DatabaseFacts {
    guard let row = try connection.query(SQL.checkDatabase).first else {
      throw PostgresError.missingRow("check_database")
    }
    let durations = [
      try row.optionalInt64("log_duration"), try row.optionalInt64("log_duration_sample"),
    ]
    let logsByDuration = durations.contains { ($0 ?? -1) >= 0 }
    let logsAll = try row.string("log_statement") == "all"
    let readOnly = try row.string("read_only")
    return DatabaseFacts(
      role: try row.string("role"), version: try row.string("version"),
      versionNumber: try row.int("version_number"), encoding: try row.string("encoding"),
      isStandby: try row.bool("standby"), isSuperuser: try row.bool("is_superuser"),
      isReadOnly: readOnly == "on", isolation: try row.string("isolation"),
      synchronousCommit: try row.string("synchronous_commit"),
      statementTimeout: try row.int64("statement_timeout"),
      logsStatements: logsByDuration || logsAll,
      loggedParameterBytes: try row.optionalInt64("log_parameters") ?? -1,
      loggedParameterBytesOnError: try row.optionalInt64("log_parameters_on_error") ?? 0,
      mayCreateTemporary: try row.bool("may_create_temporary"), now: try row.instant("now"))
  }
}

/// What a role may do in the schema, and who else may read what nobody else should.
public struct SchemaFacts: Sendable, Equatable {
  /// `INSERT on attempt`
  public let lacking: [String]
  public let mayEnqueue: Bool
  public let ownsSchema: Bool
  /// Roles that may read signed payloads and are not the daemon's.
  public let payloadReaders: [String]
  /// Roles that log in, are not the daemon's and may enqueue.
  public let enqueuers: Int

  public static func read(on connection: inout Connection) throws(PostgresError) -> SchemaFacts {
    guard let row = try connection.query(SQL.checkSchema).first else {
      throw PostgresError.missingRow("check_schema")
    }
    return SchemaFacts(
      lacking: try row.array("lacking").compactMap(\.self),
      mayEnqueue: try row.bool("may_enqueue"), ownsSchema: try row.bool("owns_schema"),
      payloadReaders: try row.array("readers").compactMap(\.self),
      enqueuers: try row.int("enqueuers"))
  }
}
