import AppStore
import Decision
import PostgreSQL
import TestSupport

@testable import Store

/// Rows of a level in buckets, and the source that integrates them.
struct LevelBench {
  let bench: UsageBench

  init(time: String = "timestamptz", level: String = "numeric", bucket: String = "text") throws {
    bench = try UsageBench(
      """
      CREATE TABLE storage (account_id bigint, bucket \(bucket), taken_at \(time), bytes \(level),
          kind text DEFAULT 'hot');
      CREATE INDEX storage_key ON storage (account_id, bucket, taken_at);
      """)
  }

  /// A quantity in units of a month: a level of 2,628,000 holds for a second to make 1.
  static func table(
    series: String? = "bucket", before: LevelTable.Before = .zero, timeZone: String? = nil,
    unit: String = "1", price: String = "2", filter: String? = nil
  ) throws -> LevelTable {
    guard let unit = ExactDecimal(unit), let price = ExactDecimal(price) else {
      throw TestSupportError("no decimal")
    }
    return LevelTable(
      table: "storage", customer: "account_id", time: "taken_at", timeZone: timeZone,
      level: "bytes", series: series, before: before, unit: unit, unitCostPerMonth: price,
      filter: filter)
  }

  static func source(_ table: LevelTable) -> UsageSource {
    UsageSource(name: "storage", measure: .level(table))
  }

  /// Rows as `(bucket, time, level)`; a null by nil.
  func insert(_ rows: [(String?, String, String?)], account: Int = 1) throws {
    var connection = try bench.connect()
    for (bucket, time, level) in rows {
      _ = try connection.query(
        "INSERT INTO storage (account_id, bucket, taken_at, bytes) VALUES ($1, $2, $3, $4)",
        [.int(account), .inferred(bucket), .inferred(time), .inferred(level)])
    }
  }

  func usage(
    _ table: LevelTable, from: Instant = UsageBench.start, until: Instant = UsageBench.end
  ) throws -> SourceUsage {
    try bench.usage(Self.source(table), from: from, until: until)
  }

  /// The quantity in seconds of a level of 2,628,000; nil when it is unknown.
  func seconds(
    _ table: LevelTable, from: Instant = UsageBench.start, until: Instant = UsageBench.end
  ) throws -> String? {
    try usage(table, from: from, until: until).quantity.text
  }
}
