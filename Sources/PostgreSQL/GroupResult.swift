internal import CPostgreSQL

/// Gathers the results of one unit of work: a statement, a script, or a group of a pipeline.
struct GroupResult {
  private let access: TransactionAccess
  private(set) var rows: Rows?
  /// The first error; those that follow are its consequences.
  private(set) var error: PostgresError?

  init(access: TransactionAccess) {
    self.access = access
  }

  /// Takes over a result that libpq handed out.
  ///
  /// - Returns: False when the connection cannot go on: the server expects or sends COPY data.
  mutating func take(_ result: OpaquePointer) -> Bool {
    switch unsafe PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
      rows = unsafe Rows(result)
      return true
    case PGRES_PIPELINE_ABORTED, PGRES_PIPELINE_SYNC:
      break
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      fail(PostgresError(kind: .server, message: "COPY is not supported", outcomeIsUnknown: true))
      unsafe PQclear(result)
      return false
    default:
      unsafe fail(PostgresError(result: result, access: access))
    }
    unsafe PQclear(result)
    return true
  }

  /// Notes an error, unless there is one already.
  mutating func fail(_ other: PostgresError) {
    if error == nil { error = other }
  }

  /// How the work ended, once the server has said so.
  ///
  /// - Parameter warnings: A commit that nobody confirmed is no success.
  func outcome(_ warnings: Warnings) -> Result<Rows, PostgresError> {
    if let error { return .failure(error) }
    if let message = warnings.commitInDoubt {
      return .failure(PostgresError(kind: .cancelled, message: message, outcomeIsUnknown: true))
    }
    guard let rows = rows ?? Rows.empty() else {
      return .failure(PostgresError(kind: .decoding, message: "out of memory"))
    }
    return .success(rows)
  }
}

extension Rows {
  /// What a group without statements returns.
  static func empty() -> Rows? {
    unsafe PQmakeEmptyPGresult(nil, PGRES_EMPTY_QUERY).map { unsafe Rows($0) }
  }
}
