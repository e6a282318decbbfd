import AppStore
import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Levels, summed exactly") struct LevelSumTests {
  /// Numbers that come out the same at every run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private struct Row {
    let series: Int
    /// Microseconds since 1970.
    let at: Int64
    /// In levels of 2.628, so that the sum ends after six digits more than a microsecond has.
    let level: Int64
  }

  /// Level times microseconds between two instants, in whole numbers.
  private static func integral(_ rows: [Row], _ from: Int64, _ until: Int64) -> Int64 {
    var sum: Int64 = 0
    for series in Set(rows.map(\.series)) {
      let sorted = rows.filter { $0.series == series }.sorted { $0.at < $1.at }
      for (row, next) in zip(sorted, sorted.dropFirst().map(\.at) + [Int64.max]) {
        sum += row.level * max(0, min(next, until) - max(row.at, from))
      }
    }
    return sum
  }

  /// `digits` / 10^12, without zeros behind.
  private static func decimal(_ digits: Int64) -> String {
    let text = String(digits)
    let padded = String(repeating: "0", count: max(0, 13 - text.count)) + text
    let whole = padded.dropLast(12)
    var fraction = String(padded.suffix(12))
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
  }

  private static func rows(_ seed: UInt64) -> [Row] {
    var dice = Dice(state: seed)
    let (start, end) = (UsageBench.start.microseconds, UsageBench.end.microseconds)
    var rows: [Row] = []
    for series in 0..<Int.random(in: 1...5, using: &dice) {
      var times: Set<Int64> = []
      for _ in 0..<Int.random(in: 0...12, using: &dice) {
        times.insert(
          Int64.random(
            in: (start - 864_000_000_000)...(end + 432_000_000_000), using: &dice))
      }
      if Bool.random(using: &dice) { times.insert(start) }
      if Bool.random(using: &dice) { times.insert(end) }
      for at in times.sorted() {
        rows.append(
          Row(series: series, at: at, level: Int64.random(in: 0...999, using: &dice)))
      }
    }
    return rows
  }

  private static func insert(_ rows: [Row], account: Int, into bench: LevelBench) throws {
    var connection = try bench.bench.connect()
    // 2.628 times the level, over a month of 2,628,000 s: a millionth of level times seconds.
    _ = try connection.query(
      """
      INSERT INTO storage (account_id, bucket, taken_at, bytes)
      SELECT $1, s, timestamptz '1970-01-01 00:00:00+00' + t * interval '1 microsecond', l * 2.628
      FROM unnest($2::text[], $3::bigint[], $4::bigint[]) r (s, t, l)
      """,
      [
        .int(account), .array(rows.map { "series \($0.series)" }), .array(rows.map(\.at)),
        .array(rows.map(\.level)),
      ])
  }

  @Test(
    "C-14: random levels are the same to the last digit as in whole numbers, all customers in one batch"
  )
  func random() throws {
    let bench = try LevelBench()
    var questions: [UsageReader.Question] = []
    var expected: [String] = []
    for account in 1...40 {
      let rows = Self.rows(UInt64(account))
      try Self.insert(rows, account: account, into: bench)
      questions.append(try UsageBench.question(customer: String(account)))
      expected.append(
        Self.decimal(
          Self.integral(rows, UsageBench.start.microseconds, UsageBench.end.microseconds)))
    }
    let readings = try bench.bench.read(
      [LevelBench.source(try LevelBench.table(price: "1"))], questions)
    #expect(readings.map { $0.sources[0].quantity.text } == expected)
    #expect(readings.map { $0.sources[0].cost.text } == expected)
    #expect(Set(expected).count > 30)
  }

  @Test("D-18: periods that follow each other add up to the whole") func adjacent() throws {
    let bench = try LevelBench()
    let rows =
      Self.rows(7) + Self.rows(8).map { Row(series: $0.series + 10, at: $0.at, level: $0.level) }
    try Self.insert(rows, account: 1, into: bench)
    var dice = Dice(state: 99)
    // Cuts between rows, and at rows themselves.
    let inside = rows.map(\.at).filter {
      $0 > UsageBench.start.microseconds && $0 < UsageBench.end.microseconds
    }
    var cuts = Set(inside.shuffled(using: &dice).prefix(4))
    for _ in 0..<4 {
      cuts.insert(
        Int64.random(
          in: UsageBench.start.microseconds...UsageBench.end.microseconds, using: &dice))
    }
    let edges = ([UsageBench.start.microseconds, UsageBench.end.microseconds] + cuts).sorted()
    let questions = try zip(edges, edges.dropFirst()).map { from, until in
      try UsageBench.question(
        from: Instant(microseconds: from), until: Instant(microseconds: until))
    }
    let readings = try bench.bench.read(
      [LevelBench.source(try LevelBench.table())], questions)
    var connection = try bench.bench.connect()
    let parts = readings.map { $0.sources[0].quantity.text ?? "null" }
    let sum = try connection.query(
      "SELECT trim_scale(sum(p::numeric))::text AS sum FROM unnest($1::text[]) p", [.array(parts)])
    #expect(try sum[0].string("sum") == bench.seconds(LevelBench.table()))
    #expect(readings.count == edges.count - 1)
  }

  @Test("The row that is carried in is read from the index, whatever lies before and beside it")
  func index() throws {
    let bench = try LevelBench()
    try bench.bench.script(
      """
      INSERT INTO storage (account_id, bucket, taken_at, bytes)
      SELECT a, b, timestamptz '2026-10-31 00:00:00+00' - i * interval '1 minute', 1
      FROM generate_series(1, 4) a, unnest('{x,y,z}'::text[]) b, generate_series(0, 10000) i
      """)
    let table = try LevelBench.table()
    var connection = try bench.bench.connect()
    _ = try connection.query("VACUUM ANALYZE storage", timeout: .seconds(60))
    let names = try SourceCatalogue(path: "level", searchPath: "public")
      .names(table, on: &connection)
    let source = UsageSourceSQL(level: table, names: names)
    let question = try UsageBench.question()
    let plan = try connection.query(
      "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) " + source.sql,
      source.values.flatMap { $0.bound(question.values) }
    ).map { try $0.string(0) }
    let text = plan.joined(separator: "\n")
    #expect(!text.contains("Seq Scan"), "\(text)")
    #expect(text.contains("Index Scan Backward using storage_key"), "\(text)")
    // The first line with buffers is the whole statement's: some pages a series, not thousands.
    let buffers = plan.first { $0.contains("Buffers: shared hit=") }
    let hits = buffers?.split(separator: "=").last.flatMap { Int($0.prefix { $0.isNumber }) }
    #expect((hits ?? .max) < 100, "\(text)")
    #expect(try bench.seconds(table) != nil)
  }
}
