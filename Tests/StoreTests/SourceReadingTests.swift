import AppStore
import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Reading sources") struct SourceReadingTests {
  /// Which statement of the session asked: the same for sources that were asked together.
  private static let when =
    "SELECT 1, (extract(epoch FROM statement_timestamp()) * 1000000)::bigint"

  private static func sources(_ sql: String...) throws -> [UsageSource] {
    try sql.enumerated().map { try .query("s\($0.offset)", $0.element) }
  }

  @Test("All sources of a request are one statement, with their own parameters") func together()
    throws
  {
    let bench = try UsageBench(
      """
      CREATE TABLE numbered (owner bigint, cost numeric);
      CREATE TABLE named (owner text, cost numeric);
      INSERT INTO numbered VALUES (7, 1.5); INSERT INTO named VALUES ('7', 2.25);
      """)
    let sources = try Self.sources(
      Self.when, "SELECT count(*), sum(cost) FROM numbered WHERE owner = $customer",
      "SELECT count(*), sum(cost) FROM named WHERE owner = $customer AND $from < $until -- end",
      Self.when)
    let reading = try bench.read(sources, [UsageBench.question(customer: "7")])[0]
    #expect(reading.sources.map(\.source) == ["s0", "s1", "s2", "s3"])
    #expect(reading.sources[1].cost == .known("1.5"))
    #expect(reading.sources[2].cost == .known("2.25"))
    #expect(reading.sources[0].cost.text != nil)
    #expect(reading.sources[0].cost == reading.sources[3].cost)
    #expect(reading.healing == nil)
  }

  @Test("One that fails is found by asking source by source; the others are known") func fallback()
    throws
  {
    let bench = try UsageBench()
    let sources = try Self.sources(
      Self.when, "SELECT 1, 1 / nullif($customer::int, 3)", "SELECT 1, 1 / ($customer::int - 3)",
      Self.when)
    let readings = try bench.read(
      sources, ["2", "3", "4"].map { try UsageBench.question(customer: $0) })
    for index in [0, 2] {
      #expect(readings[index].sources.allSatisfy { $0.ignorance == nil })
      #expect(readings[index].sources[0].cost == readings[index].sources[3].cost)
    }
    let failed = readings[1]
    #expect(failed.sources[0].cost.text != nil)
    #expect(failed.sources[1].ignorance == .noNumber)
    #expect(failed.sources[2].ignorance == .error(sqlState: "22012"))
    #expect(failed.sources[3].cost.text != nil)
    // A division by zero does not heal by itself.
    #expect(failed.healing == nil)
    // They were asked one by one.
    #expect(failed.sources[0].cost != failed.sources[3].cost)
  }

  @Test("What a source may not read, or what is hidden from it, is unknown beside the others")
  func permissions() throws {
    let bench = try UsageBench(
      """
      CREATE TABLE secret (cost numeric);
      CREATE TABLE hidden (cost numeric);
      CREATE TABLE open (cost numeric);
      INSERT INTO hidden VALUES (14.20); INSERT INTO open VALUES (1);
      ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
      DO $$ BEGIN CREATE ROLE usage_reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      GRANT SELECT ON hidden, open TO usage_reader;
      """)
    let sources = try Self.sources(
      "SELECT 1, sum(cost) FROM secret", "SELECT 1, coalesce(sum(cost), 0) FROM hidden",
      "SELECT 1, sum(cost) FROM open")
    let reading = try bench.read(sources, [UsageBench.question()], as: "usage_reader")[0]
    #expect(reading.sources.map(\.ignorance) == [.permission, .hiddenRows, nil])
    #expect(reading.sources[2].cost == .known("1"))
    #expect(reading.healing == nil)
  }

  @Test(
    "Another number of rows than one, a null and NaN are unknown",
    arguments: [
      ("SELECT 1, 1 WHERE false", .rows(0)), ("SELECT 1, g FROM generate_series(1, 2) g", .rows(2)),
      ("SELECT 1, NULL::numeric", .noNumber), ("SELECT 'NaN'::numeric, 1", .noNumber),
      ("SELECT 1, 'Infinity'::float8", .noNumber), ("SELECT 1, 1", nil),
    ] as [(String, SourceUsage.Ignorance?)])
  func amounts(sql: String, ignorance: SourceUsage.Ignorance?) throws {
    let bench = try UsageBench()
    let sources = try Self.sources(sql, "SELECT 2, 2")
    let reading = try bench.read(sources, [UsageBench.question()])[0]
    #expect(reading.sources[0].ignorance == ignorance)
    #expect(reading.sources[1].cost == .known("2"))
  }

  @Test("A stuck customer uses up his own time: those before are read, those after ask again")
  func stuck() throws {
    let bench = try UsageBench()
    let sources = try Self.sources(
      "SELECT 1, 1",
      "SELECT 1, CASE WHEN $customer = '3' THEN (SELECT 1 FROM pg_sleep(60)) ELSE 1 END")
    let questions = try (1...6).map { try UsageBench.question(customer: String($0)) }
    let begun = ContinuousClock.now
    let readings = try bench.read(sources, questions, budget: .seconds(1))
    #expect(ContinuousClock.now - begun < .seconds(5))
    #expect(readings.map(\.tookAllTime) == [false, false, true, false, false, false])
    // Whoever came behind him was read when he gave way, or asks again at once; of nobody it is said
    // that he is unknown.
    for index in [0, 1, 3, 4, 5] where !readings[index].wasNotAsked {
      #expect(readings[index].sources.map(\.cost) == [.known("1"), .known("1")])
    }
    #expect(!readings[0].wasNotAsked && !readings[1].wasNotAsked)
    #expect(!readings[2].wasNotAsked)
  }

  @Test("Behind a stuck customer another stuck one is not to blame: he asks again") func twoStuck()
    throws
  {
    let bench = try UsageBench()
    let sources = try Self.sources(
      "SELECT 1, CASE WHEN $customer IN ('1', '3') THEN (SELECT 1 FROM pg_sleep(60)) ELSE 1 END")
    let questions = try (1...40).map { try UsageBench.question(customer: String($0)) }
    let begun = ContinuousClock.now
    let readings = try bench.read(sources, questions, budget: .seconds(1))
    #expect(ContinuousClock.now - begun < .seconds(5))
    #expect(readings[0].tookAllTime)
    #expect(readings[2].tookAllTime || readings[2].wasNotAsked)
    #expect(readings.count { $0.tookAllTime } <= 2)
    // The far end was never sent.
    #expect(readings[39].wasNotAsked)
    #expect(readings[39].sources[0].cost == .unknown)
  }

  @Test("Alone, a stuck source costs its own share of the time; the others are known") func alone()
    throws
  {
    let bench = try UsageBench()
    let sources = try Self.sources(
      "SELECT 1, 1", "SELECT 1, (SELECT 1 FROM pg_sleep(60))", "SELECT 1, 3")
    let begun = ContinuousClock.now
    let reading = try bench.read(
      sources, [UsageBench.question()], alone: true, budget: .seconds(3))[0]
    #expect(ContinuousClock.now - begun < .seconds(3))
    #expect(reading.sources.map(\.ignorance) == [nil, .timeout, nil])
    #expect(reading.sources[2].cost == .known("3"))
    #expect(reading.healing?.hasPrefix("usage.s1: ") == true)
    #expect(!reading.wasNotAsked)
  }

  @Test("A read-only source writes nothing, asked together or alone", arguments: [false, true])
  func readOnly(alone: Bool) throws {
    let bench = try UsageBench(
      """
      CREATE TABLE noted (n integer);
      CREATE FUNCTION note() RETURNS integer LANGUAGE sql AS 'INSERT INTO noted VALUES (1) RETURNING n';
      """)
    let sources = try Self.sources("SELECT 1, note()", "SELECT 1, 1")
    let reading = try bench.read(sources, [UsageBench.question()], alone: alone)[0]
    #expect(reading.sources.map(\.ignorance) == [.error(sqlState: "25006"), nil])
    var connection = try bench.connect()
    #expect(try connection.query("SELECT FROM noted").count == 0)
  }
}
