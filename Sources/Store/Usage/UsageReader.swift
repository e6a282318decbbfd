public import Decision
public import PostgreSQL

/// Adds up what a billing period cost, in the user's own tables.
public struct UsageReader: Sendable {
  private let sources: [UsageSourceSQL]

  init(_ sources: [UsageSourceSQL]) { self.sources = sources }

  /// What the sources said of one purchase, and whether asking again may tell more.
  public struct Reading: Sendable {
    public let sources: [SourceUsage]
    /// The first trouble that may heal by itself; nil when what is unknown will stay so.
    public let healing: String?
  }

  /// Asks all sources about a batch of purchases, each of whose values hold customer and window.
  ///
  /// - Throws: when nothing could be asked at all.
  public func read(
    _ purchases: [PurchaseValues], batch: ReadOnlyBatch, on connection: inout Connection
  ) throws(PostgresError) -> [Reading] {
    let statements = purchases.flatMap { purchase in sources.map { $0.statement(purchase) } }
    let results = try batch.run(statements, on: &connection)
    return purchases.indices.map { index in
      reading(results[(index * sources.count)..<((index + 1) * sources.count)])
    }
  }

  /// Without a window nothing was asked: unknown, never 0.
  public var withoutWindow: Reading {
    Reading(
      sources: sources.map { SourceUsage(source: $0.name, unknown: .noWindow) }, healing: nil)
  }

  private func reading(_ results: ArraySlice<Result<Rows, PostgresError>>) -> Reading {
    var healing: String?
    let usage = zip(sources, results).map { source, result in
      switch result {
      case .success(let rows): return Self.usage(source.name, rows)
      case .failure(let error):
        if error.mayHeal { healing = healing ?? "usage.\(source.name): \(error.summary)" }
        return SourceUsage(source: source.name, unknown: Self.ignorance(error))
      }
    }
    return Reading(sources: usage, healing: healing)
  }

  private static func usage(_ name: String, _ rows: Rows) -> SourceUsage {
    do throws(PostgresError) {
      guard let row = rows.first else { return SourceUsage(source: name, unknown: .rows(0)) }
      let count = try row.int("rows")
      guard count == 1 else { return SourceUsage(source: name, unknown: .rows(count)) }
      return SourceUsage(
        source: name, quantity: try row.optionalString("quantity"),
        cost: try row.optionalString("cost"))
    } catch {
      return SourceUsage(source: name, unknown: .noNumber)
    }
  }

  private static func ignorance(_ error: PostgresError) -> SourceUsage.Ignorance {
    switch (error.kind, error.sqlState) {
    case (.timeout, _), (.notRun, _), (_, "57014"): .timeout
    case (.connection, _), (.readOnly, _), (.cancelled, _): .unavailable
    // insufficient_privilege is what row_security = off raises too, with these words.
    case (_, "42501") where error.message.contains("row-level security"): .hiddenRows
    case (_, "42501"): .permission
    case (_, let state): .error(sqlState: state ?? "unknown")
    }
  }
}
