import AppStore
import Decision
import PostgreSQL
import Testing

@testable import Store

@Suite("Rows that arrive late") struct SettleTests {
  private let until = UsageBench.end

  @Test(
    "A source is read when its rows have settled, the others at once",
    arguments: [(0, false), (599, false), (600, true), (601, true)])
  func settle(seconds: Int, isRead: Bool) throws {
    let bench = try UsageBench()
    let sources: [UsageSource] = [
      try .query("late", "SELECT 1, 5", settle: .seconds(600)), try .query("quick", "SELECT 1, 7"),
    ]
    let now = until + .seconds(seconds)
    let reading = try bench.read(sources, [UsageBench.question(now: now)])[0]
    #expect(reading.sources[0].cost == (isRead ? .known("5") : .unknown))
    #expect(reading.sources[0].ignorance == (isRead ? nil : .settling))
    #expect(reading.settlesAt == (isRead ? nil : until + .seconds(600)))
    #expect(reading.sources[1].cost == .known("7"))
    #expect(reading.healing == nil)
  }

  @Test("The longest settle is waited for; one of another environment is not") func longest() throws
  {
    let bench = try UsageBench()
    let sources: [UsageSource] = [
      try .query("a", "SELECT 1, 1", settle: .seconds(60)),
      try .query("b", "SELECT 1, 1", settle: .seconds(600)),
      try .query("c", "SELECT 1, 1", settle: .seconds(6000), environments: [.production]),
    ]
    let reader = try bench.queries(sources).usage
    #expect(reader.settles(in: .sandbox))
    let reading = try bench.read(sources, [UsageBench.question(environment: .sandbox)])[0]
    #expect(reading.settlesAt == until + .seconds(600))
    #expect(!(try bench.queries([sources[2]]).usage.settles(in: .sandbox)))
    #expect(try bench.queries([sources[2]]).usage.settles(in: .production))
  }

  @Test(
    "A source that has not heard of enough is unknown and may heal",
    arguments: [
      ("timestamptz '2026-11-30 23:00:00+00'", true), ("$until - interval '1 hour'", true),
      ("$until - interval '1 hour 1 microsecond'", false), ("NULL::timestamptz", false),
    ])
  func fresh(newest: String, isFresh: Bool) throws {
    let bench = try UsageBench()
    let fresh = UsageSource.Freshness(
      query: try NamedQuery("SELECT \(newest) WHERE $customer::bigint = 1"), within: .seconds(3600))
    let sources: [UsageSource] = [
      try .query("s", "SELECT 1, 5 WHERE $from < $until", fresh: fresh),
      try .query("t", "SELECT 1, 7"),
    ]
    for alone in [false, true] {
      let reading = try bench.read(sources, [UsageBench.question()], alone: alone)[0]
      #expect(reading.sources[0].cost == (isFresh ? .known("5") : .unknown))
      #expect(reading.sources[0].ignorance == (isFresh ? nil : .stale))
      #expect((reading.healing != nil) == !isFresh)
      #expect(reading.sources[1].cost == .known("7"))
    }
  }

  @Test("No row about freshness is not fresh; one that fails fails its source alone") func noRow()
    throws
  {
    let bench = try UsageBench("CREATE TABLE heard (at timestamptz, zero integer DEFAULT 0)")
    func reading(_ sql: String) throws -> UsageReader.Reading {
      let fresh = UsageSource.Freshness(query: try NamedQuery(sql), within: .seconds(3600))
      return try bench.read(
        [.query("s", "SELECT 1, 5", fresh: fresh), .query("t", "SELECT 1, 7")],
        [UsageBench.question()])[0]
    }
    #expect(try reading("SELECT at FROM heard").sources[0].ignorance == .stale)
    try bench.script("INSERT INTO heard VALUES ('2026-12-01 00:00:00+00')")
    #expect(try reading("SELECT at FROM heard").sources[0].ignorance == nil)
    let failed = try reading("SELECT at FROM heard WHERE 1 / zero = 1")
    #expect(failed.sources[0].ignorance == .error(sqlState: "22012"))
    #expect(failed.sources[1].cost == .known("7"))
  }

  @Test("What fresh.query must be is said at the start") func described() throws {
    let bench = try UsageBench()
    for sql in [
      "SELECT now()::timestamp", "SELECT now(), 1", "SELECT nothing", "SELECT current_date",
    ] {
      let source = try UsageSource.query(
        "s", "SELECT 1, 1",
        fresh: UsageSource.Freshness(query: try NamedQuery(sql), within: .seconds(60)))
      #expect(try bench.fault(source)?.path == "usage.sources[0].fresh.query", "\(sql)")
    }
  }

  @Test(
    "Elsewhere a source does not apply, and is not asked", arguments: AppStore.Environment.allCases)
  func environments(environment: AppStore.Environment) throws {
    let bench = try UsageBench()
    let sources: [UsageSource] = [
      try .query(
        "s", "SELECT 1, 5 / (CASE $environment WHEN 'Production' THEN 1 ELSE 0 END)",
        environments: [.production]),
      try .query("t", "SELECT 1, 7"),
    ]
    let reading = try bench.read(sources, [UsageBench.question(environment: environment)])[0]
    #expect(reading.sources[1].cost == .known("7"))
    if environment == .production {
      #expect(reading.sources[0].cost == .known("5"))
    } else {
      #expect(reading.sources[0] == SourceUsage(notApplicable: "s"))
      #expect(reading.healing == nil)
    }
  }
}
