internal import CPostgreSQL

/// What goes to the server between two syncs.
enum PipelineGroup {
  case run([Statement])
  /// In one group, because a pooler might otherwise describe on another server than it prepared on.
  case describe(sql: String, parameterTypes: [UInt32])

  /// Refuses what cannot be sent as it is meant.
  func validate() throws(PostgresError) {
    switch self {
    case .run(let statements):
      for statement in statements { try statement.validate() }
    case .describe(let sql, _):
      try Statement(sql).validate()
    }
  }

  /// Hands the group to libpq; false when the connection is lost.
  func send(on connection: inout Connection) -> Bool {
    switch self {
    case .run(let statements):
      for statement in statements where !connection.send(statement) { return false }
      return true
    case .describe(let sql, let types):
      return unsafe PQsendPrepare(
        connection.pointer, "", sql, Int32(types.count), types.map { Oid($0) }) == 1
        && PQsendDescribePrepared(connection.pointer, "") == 1
    }
  }
}
