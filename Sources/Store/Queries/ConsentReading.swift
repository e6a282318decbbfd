public import Decision
public import PostgreSQL

/// What an answer rests on.
public struct ConsentProof: Sendable, Equatable {
  /// `granted`, and `at`, `source`, `version` where the query gives them.
  public let json: String

  public init(json: String) { self.json = json }
}

/// Whether the customer consents, now.
public enum ConsentFinding: Sendable, Equatable {
  /// One row that says true, from the primary.
  case granted(ConsentProof)
  /// No row, null, false, or a consent that is dated ahead.
  case notGranted(ConsentProof?)
  /// Two rows.
  case ambiguous
  /// The query failed, or a standby answered: not a yes, and not a no.
  case unavailable(Trouble)
}

/// The configuration's `consent` query. Columns go by position: a boolean, and if there are more,
/// when it was given (timestamptz), its source, the version of its wording.
public struct ConsentReading: Sendable {
  private let query: NamedQuery
  private let sql: String

  /// - Parameter columns: how many the query has, 1…4; `QueryCheck` has described it.
  public init(_ query: NamedQuery, columns: Int) {
    self.query = query
    let names = ["granted", "at", "source", "version"].prefix(columns)
    let proof = names.map { "'\($0)', q.\($0)" }.joined(separator: ", ")
    // Given after the request counts; dated more than a minute ahead does not.
    let ahead =
      columns > 1
      ? "coalesce(q.at > pg_catalog.clock_timestamp() + interval '1 minute', false)" : "false"
    sql = """
      SELECT coalesce(q.granted, false) AND NOT \(ahead) AS granted,
          pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(\(proof))) AS proof,
          pg_catalog.pg_is_in_recovery() AS standby
      FROM (
      \(query.sql)
      ) q(\(names.joined(separator: ", "))) LIMIT 2
      """
  }

  /// Reads the consent of a batch of purchases whose customers are known.
  ///
  /// - Throws: when nothing could be asked at all.
  public func read(
    _ purchases: [PurchaseValues], batch: ReadOnlyBatch, on connection: inout Connection
  ) throws(PostgresError) -> [ConsentFinding] {
    let statements = purchases.map { Statement(sql, $0.bound(query.parameters)) }
    return try batch.run(statements, on: &connection).map(Self.finding)
  }

  private static func finding(_ result: Result<Rows, PostgresError>) -> ConsentFinding {
    switch result {
    case .failure(let error): return .unavailable(Trouble("consent.query", error))
    case .success(let rows):
      guard rows.count < 2 else { return .ambiguous }
      guard let row = rows.first else { return .notGranted(nil) }
      do throws(PostgresError) {
        guard try !row.bool("standby") else {
          return .unavailable(Trouble("consent.query: answered by a standby"))
        }
        let proof = ConsentProof(json: try row.string("proof"))
        return try row.bool("granted") ? .granted(proof) : .notGranted(proof)
      } catch {
        return .unavailable(Trouble("consent.query", error))
      }
    }
  }
}
