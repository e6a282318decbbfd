import AppStore
import Decision
import PostgreSQL
import Testing

@testable import Store

@Suite("Levels") struct LevelTests {
  private static let one = "2628000"

  @Test(
    "D-18: the row before the start is carried in, also one at the start itself",
    arguments: [
      // Ten seconds of one level.
      ([("a", "2026-10-01T00:00:00Z", "1")], "10"),
      ([("a", "2026-11-01T00:00:00Z", "1")], "10"),
      ([("a", "2026-10-01T00:00:00Z", "5"), ("a", "2026-11-01T00:00:00Z", "1")], "10"),
      ([("a", "2026-11-01T00:00:04Z", "1")], "6"),
      ([("a", "2026-10-01T00:00:00Z", "1"), ("a", "2026-11-01T00:00:04Z", "0")], "4"),
      // A row at the end is the next period's.
      ([("a", "2026-10-01T00:00:00Z", "1"), ("a", "2026-11-01T00:00:10Z", "9")], "10"),
      ([("a", "2026-11-01T00:00:10Z", "9")], "0"),
      ([("a", "2026-10-01T00:00:00Z", "1"), ("b", "2026-11-01T00:00:07.5Z", "2")], "15"),
      ([], "0"),
    ] as [([(String, String, String)], String)])
  func carried(rows: [(String, String, String)], seconds: String) throws {
    let bench = try LevelBench()
    try bench.insert(
      rows.map { ($0.0, $0.1, "\((Int($0.2) ?? 0) * 2_628_000)") })
    // Somebody else's.
    try bench.insert([("a", "2026-10-20T00:00:00Z", Self.one)], account: 2)
    let usage = try bench.usage(
      LevelBench.table(), until: UsageBench.start + .seconds(10))
    #expect(usage.quantity == .known(seconds))
    #expect(usage.cost.text.flatMap { Double($0) } == Double(seconds).map { $0 * 2 })
  }

  @Test("What held before the first row: zero, or nobody knows") func before() throws {
    let bench = try LevelBench()
    let until = UsageBench.start + .seconds(10)
    let zero = try LevelBench.table(before: .zero)
    let unknown = try LevelBench.table(before: .unknown)
    #expect(try bench.seconds(zero, until: until) == "0")
    #expect(try bench.seconds(unknown, until: until) == nil)
    try bench.insert([("a", "2026-11-01T00:00:04Z", Self.one)])
    #expect(try bench.seconds(zero, until: until) == "6")
    #expect(try bench.seconds(unknown, until: until) == nil)
    try bench.insert([("a", "2026-11-01T00:00:00Z", "0")])
    #expect(try bench.seconds(unknown, until: until) == "6")
    // One series of two without a row at the start.
    try bench.insert([("b", "2026-11-01T00:00:09Z", Self.one)])
    #expect(try bench.seconds(unknown, until: until) == nil)
    #expect(try bench.seconds(zero, until: until) == "7")
    // A series that begins after the end is none yet.
    try bench.insert([("b", "2026-10-01T00:00:00Z", "0"), ("c", "2026-11-01T00:00:10Z", "1")])
    #expect(try bench.seconds(unknown, until: until) == "7")
  }

  @Test(
    "What cannot be told apart or is missing makes the source unknown, never smaller",
    arguments: [
      (
        "two rows of one instant",
        [("a", "2026-11-01T00:00:05Z", "1"), ("a", "2026-11-01T00:00:05Z", "1")], true
      ),
      (
        "two of the instant that is carried in",
        [("a", "2026-10-01T00:00:00Z", "1"), ("a", "2026-10-01T00:00:00Z", "1")], true
      ),
      (
        "two at the start",
        [("a", "2026-11-01T00:00:00Z", "1"), ("a", "2026-11-01T00:00:00Z", "2")], true
      ),
      (
        "two of one instant, before the one that is carried in",
        [
          ("a", "2026-10-01T00:00:00Z", "1"), ("a", "2026-10-01T00:00:00Z", "1"),
          ("a", "2026-10-02T00:00:00Z", "1"),
        ], false
      ),
      (
        "one instant in two series",
        [("a", "2026-11-01T00:00:05Z", "1"), ("b", "2026-11-01T00:00:05Z", "1")], false
      ),
      ("a null level inside", [("a", "2026-11-01T00:00:05Z", nil)], true),
      ("a null level that is carried in", [("a", "2026-10-01T00:00:00Z", nil)], true),
      (
        "a null level that another row has replaced",
        [("a", "2026-10-01T00:00:00Z", nil), ("a", "2026-10-02T00:00:00Z", "1")], false
      ),
      ("a null level after the end", [("a", "2026-12-01T00:00:00Z", nil)], false),
      ("a null series inside", [(nil, "2026-11-01T00:00:05Z", "1")], true),
      ("a null series that would be carried in", [(nil, "2026-10-01T00:00:00Z", "1")], true),
      ("a null series after the end", [(nil, "2026-12-01T00:00:00Z", "1")], false),
      ("NaN", [("a", "2026-11-01T00:00:05Z", "NaN")], true),
      ("NaN that is carried in", [("a", "2026-10-01T00:00:00Z", "NaN")], true),
    ] as [(String, [(String?, String, String?)], Bool)])
  func unknown(what: String, rows: [(String?, String, String?)], isUnknown: Bool) throws {
    let bench = try LevelBench()
    try bench.insert([("z", "2026-10-01T00:00:00Z", "1")] + rows)
    let usage = try bench.usage(LevelBench.table())
    #expect((usage.quantity == .unknown) == isUnknown, "\(what): \(usage)")
    #expect((usage.cost == .unknown) == isUnknown)
  }

  @Test("Without series there is one level, and two rows of one instant are too many")
  func withoutSeries() throws {
    let bench = try LevelBench()
    let table = try LevelBench.table(series: nil, before: .unknown)
    let until = UsageBench.start + .seconds(10)
    try bench.insert([("a", "2026-10-01T00:00:00Z", Self.one), (nil, "2026-11-01T00:00:05Z", "0")])
    #expect(try bench.seconds(table, until: until) == "5")
    try bench.insert([("b", "2026-11-01T00:00:05Z", "0")])
    #expect(try bench.seconds(table, until: until) == nil)
  }

  @Test(
    "D-15: a column without a zone is local time, through both changes of the clocks",
    arguments: [
      // From midnight to five: four hours in spring, six in autumn.
      ("2026-03-28T23:00:00Z", "2026-03-29T03:00:00Z", "14400"),
      ("2026-10-24T22:00:00Z", "2026-10-25T04:00:00Z", "21600"),
    ])
  func localTime(from: String, until: String, seconds: String) throws {
    let bench = try LevelBench(time: "timestamp")
    let day = from.hasPrefix("2026-03") ? "2026-03-29" : "2026-10-25"
    try bench.insert([
      ("a", "2026-01-01 00:00:00", "0"), ("a", "\(day) 00:00:00", Self.one),
      ("a", "\(day) 05:00:00", "0"),
    ])
    let table = try LevelBench.table(timeZone: "Europe/Berlin")
    for session in ["UTC", "America/New_York"] {
      try bench.bench.script("ALTER DATABASE \(bench.bench.database) SET TimeZone = '\(session)'")
      #expect(try bench.seconds(table, from: instant(from), until: instant(until)) == seconds)
      #expect(
        try bench.seconds(
          table, from: instant(from) - .seconds(7200), until: instant(until) + .seconds(7200))
          == seconds)
    }
  }

  @Test("D-15: an end within the hour that comes twice takes nothing away") func ambiguousHour()
    throws
  {
    let bench = try LevelBench(time: "timestamp")
    // 02:40 is read as the second of its kind: 01:40 UTC.
    try bench.insert([
      ("a", "2026-10-01 00:00:00", Self.one), ("a", "2026-10-25 02:40:00", "26280000"),
    ])
    let table = try LevelBench.table(timeZone: "Europe/Berlin")
    #expect(
      try bench.seconds(
        table, from: instant("2026-10-25T00:00:00Z"), until: instant("2026-10-25T00:45:00Z"))
        == "2700")
  }

  @Test("A floating-point column is integrated as the numbers that it prints") func float() throws {
    let bench = try LevelBench(level: "double precision")
    try bench.insert([("a", "2026-10-01T00:00:00Z", "262800.1")])
    let usage = try bench.usage(
      LevelBench.table(unit: "262800.1", price: "2628000"),
      until: UsageBench.start + .seconds(3))
    #expect(usage.cost == .known("3"))
    try bench.insert([("b", "2026-10-01T00:00:00Z", "Infinity")])
    #expect(try bench.usage(LevelBench.table()).cost == .unknown)
  }

  @Test(
    "A series may have any type that can be sorted",
    arguments: ["varchar(20) COLLATE \"C\"", "uuid", "integer", "numeric(10,2)"])
  func seriesTypes(type: String) throws {
    let bench = try LevelBench(bucket: type)
    let names =
      type == "uuid"
      ? [
        "7e3fb20b-4cdb-47cc-936d-99d65f608138", "00000000-0000-0000-0000-000000000000",
        "ffffffff-4cdb-47cc-936d-99d65f608138",
      ] : ["10", "9", "11"]
    try bench.insert(names.map { ($0, "2026-10-01T00:00:00Z", Self.one) })
    #expect(
      try bench.seconds(LevelBench.table(), until: UsageBench.start + .seconds(10)) == "30")
  }

  @Test("where leaves rows out, and nothing leaks out of its brackets") func filter() throws {
    let bench = try LevelBench()
    try bench.insert([
      ("a", "2026-10-01T00:00:00Z", Self.one), ("b", "2026-10-01T00:00:00Z", Self.one),
    ])
    try bench.insert([("c", "2026-10-01T00:00:00Z", Self.one)], account: 2)
    try bench.bench.script("UPDATE storage SET kind = 'cold' WHERE bucket = 'b'")
    let until = UsageBench.start + .seconds(10)
    #expect(try bench.seconds(LevelBench.table(filter: "kind = 'hot'"), until: until) == "10")
    #expect(
      try bench.seconds(LevelBench.table(filter: "kind = 'hot' OR true -- all"), until: until)
        == "20")
    for filter in ["true) OR (true", "bytes", "kind = 'hot'; SELECT 1", "nothing = 1"] {
      let source = LevelBench.source(try LevelBench.table(filter: filter))
      #expect(try bench.bench.fault(source)?.path == "usage.sources[0].level.where", "\(filter)")
    }
  }

  @Test("What does not fit is refused at the start, with the key") func refused() throws {
    let bench = try LevelBench(time: "timestamp", level: "text")
    func path(_ level: LevelTable) throws -> String? {
      try bench.bench.fault(LevelBench.source(level))?.path
    }
    #expect(try path(LevelBench.table()) == "usage.sources[0].level.time")
    #expect(
      try path(LevelBench.table(timeZone: "Europe/Bärlin")) == "usage.sources[0].level.timeZone")
    #expect(try path(LevelBench.table(timeZone: "Europe/Berlin")) == "usage.sources[0].level.level")
    try bench.bench.script("ALTER TABLE storage ALTER bytes TYPE bigint USING 1")
    #expect(try path(LevelBench.table(timeZone: "Europe/Berlin")) == nil)
    #expect(
      try path(LevelBench.table(series: "shelf", timeZone: "Europe/Berlin"))
        == "usage.sources[0].level.series")
  }
}
