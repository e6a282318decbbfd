import PostgreSQL
import TestSupport
import Testing

@Suite("enqueue") struct EnqueueTests {
  private let schema: InstalledSchema

  init() throws { schema = try InstalledSchema() }

  /// The id that a payload gets.
  private func enqueue(_ payload: String?, on connection: inout Connection) throws -> String? {
    try connection.value("SELECT consumptiond.enqueue($1)", [.text(payload)])
  }

  @Test("Null and empty raise, and say so") func nothing() throws {
    var connection = try schema.connect()
    for payload in [nil, "", " ", "\t\r\n\u{B}\u{C} "] {
      #expect(
        try connection.refusal("SELECT consumptiond.enqueue($1)", [.text(payload)]) == "22023")
    }
    #expect(try connection.value("SELECT count(*) FROM consumptiond.inbox") == "0")
  }

  @Test("However it is wrapped, the same payload is the same notification") func wrapped() throws {
    var connection = try schema.connect()
    let id = try enqueue("head.body.sig", on: &connection)
    #expect(id != nil)
    for payload in [
      " head.body.sig", "head.body.sig\r\n", "\u{B}\u{C}\thead.body.sig",
      #"{"signedPayload":"head.body.sig"}"#, " {\n \"signedPayload\" : \"head.body.sig\\n\" }\r\n",
      #"{"other":{"signedPayload":"no"},"signedPayload":"head.body.sig"}"#,
      #"{"signedPayload":"\u0068ead.body.sig"}"#,
    ] {
      #expect(try enqueue(payload, on: &connection) == id)
    }
    #expect(try connection.values("SELECT payload FROM consumptiond.inbox") == ["head.body.sig"])
  }

  @Test("White space is trimmed and no letter is") func letters() throws {
    var connection = try schema.connect()
    for letter in ["v", "f", "t", "x", "B", "0"] {
      for posted in [" \(letter)a.b\(letter) ", #"{"signedPayload":" \#(letter)c.d\#(letter) "}"#] {
        let id = try enqueue(posted, on: &connection)
        let kept = try connection.value(
          "SELECT payload FROM consumptiond.inbox WHERE id = $1::bigint", [.inferred(id)])
        #expect(kept == "\(letter)a.b\(letter)" || kept == "\(letter)c.d\(letter)")
      }
    }
  }

  @Test("What is no payload raises nothing and is kept for its rejection") func garbage() throws {
    var connection = try schema.connect()
    for payload in [
      "{", "{]", #"{"signedPayload": 5}"#, #"{"signedPayload": null}"#, #"{"signedPayload": ""}"#,
      #"{"signedPayload": {"a": 1}}"#, #"{"signedPayload": "\u0000"}"#, "{}", "null", "[]", "5",
      "\u{FEFF}{\"signedPayload\":\"a\"}", #"{"SignedPayload":"a"}"#, "'; DROP TABLE x; --", "%s%n",
      "{\"a\":" + String(repeating: "[", count: 100_000),
      String(repeating: "é", count: 131_072),
    ] {
      let id = try enqueue(payload, on: &connection)
      #expect(id != nil)
      #expect(try enqueue(payload, on: &connection) == id)
      #expect(
        try connection.value(
          "SELECT NOT done FROM consumptiond.inbox WHERE id = $1::bigint", [.inferred(id)]) == "t")
    }
  }

  @Test("A forged post does not break the webhook's transaction") func transaction() throws {
    var connection = try schema.connect()
    _ = try connection.query("CREATE TABLE webhook (done boolean)")
    _ = try connection.query("BEGIN")
    _ = try connection.query("INSERT INTO webhook VALUES (true)")
    for payload in ["{", "x", String(repeating: "x", count: 300_000)] {
      _ = try enqueue(payload, on: &connection)
    }
    _ = try connection.query("COMMIT")
    #expect(try connection.value("SELECT done FROM webhook") == "t")
  }

  @Test("256 kB are taken, a byte more is noted without the payload") func size() throws {
    var connection = try schema.connect()
    let largest = String(repeating: "x", count: 262_144)
    #expect(try enqueue("  \(largest)\n", on: &connection) != nil)
    #expect(try connection.value("SELECT count(*) FROM consumptiond.rejected") == "0")
    let id = try enqueue(largest + "y", on: &connection)
    #expect(try enqueue(largest + "y", on: &connection) == id)
    // Bytes count, not characters.
    #expect(try enqueue(String(repeating: "é", count: 131_073), on: &connection) != id)
    let rejected = try connection.query(
      "SELECT id::text, reason, bytes, detail FROM consumptiond.rejected ORDER BY id")
    #expect(rejected.count == 2)
    #expect(try rejected[0].string("id") == id)
    #expect(try rejected[0].string("reason") == "too_large")
    #expect(try rejected[0].int("bytes") == 262_145)
    #expect(try rejected[0].string("detail") == "262145 bytes, at most 262144 are taken")
    #expect(try connection.value("SELECT count(*) FROM consumptiond.inbox") == "1")
    // Ids of both tables come from one sequence.
    #expect(
      try connection.value(
        "SELECT count(*) FROM consumptiond.inbox JOIN consumptiond.rejected USING (id)") == "0")
  }

  @Test("A caller's objects take no row") func searchPath() throws {
    var connection = try schema.connect()
    try connection.script(
      """
      CREATE SCHEMA evil;
      CREATE TABLE evil.inbox (LIKE consumptiond.inbox INCLUDING ALL);
      CREATE TABLE evil.rejected (LIKE consumptiond.rejected INCLUDING ALL);
      CREATE TEMPORARY TABLE inbox (LIKE consumptiond.inbox INCLUDING ALL);
      CREATE TEMPORARY TABLE rejected (LIKE consumptiond.rejected INCLUDING ALL);
      CREATE FUNCTION evil.sha256(bytea) RETURNS bytea LANGUAGE plpgsql AS
          $$ BEGIN RAISE 'mine'; END $$;
      CREATE FUNCTION evil.btrim(text, text) RETURNS text LANGUAGE sql AS $$ SELECT 'stolen' $$;
      CREATE FUNCTION evil.same(text, text) RETURNS boolean LANGUAGE plpgsql AS
          $$ BEGIN RAISE 'mine'; END $$;
      CREATE OPERATOR evil.= (FUNCTION = evil.same, LEFTARG = text, RIGHTARG = text);
      SET search_path = evil, pg_temp, pg_catalog, consumptiond;
      SET standard_conforming_strings = off;
      """)
    _ = try enqueue("mine.b.c", on: &connection)
    _ = try enqueue(String(repeating: "x", count: 300_000), on: &connection)
    for table in ["pg_temp.inbox", "pg_temp.rejected", "evil.inbox", "evil.rejected"] {
      #expect(try connection.value("SELECT count(*) FROM \(table)") == "0", "\(table)")
    }
    #expect(
      try connection.values("SELECT payload FROM consumptiond.inbox") == ["mine.b.c"])
    #expect(try connection.value("SELECT count(*) FROM consumptiond.rejected") == "1")
    #expect(try connection.value("SHOW search_path")?.hasPrefix("evil") == true)
  }

  @Test("The same payload on eight connections at once is one row") func atOnce() throws {
    let schema = schema
    for round in 0..<20 {
      let callers = (0..<8).map { index in
        Background {
          var connection = try schema.connect()
          let posted = index % 2 == 0 ? "r\(round).b.c" : #"{"signedPayload":"r\#(round).b.c"}"#
          return try connection.value("SELECT consumptiond.enqueue($1)", [.text(posted)])
        }
      }
      let ids = try callers.map { try $0.value() }
      #expect(Set(ids).count == 1)
      #expect(ids.first != .some(nil))
    }
    var connection = try schema.connect()
    #expect(try connection.value("SELECT count(*) FROM consumptiond.inbox") == "20")
  }

  @Test("A notification whose payload is gone is still known") func forgotten() throws {
    var connection = try schema.connect()
    let id = try enqueue("a.b.c", on: &connection)
    _ = try connection.query("UPDATE consumptiond.inbox SET done = true, payload = NULL")
    #expect(try enqueue("a.b.c", on: &connection) == id)
    #expect(try connection.value("SELECT payload FROM consumptiond.inbox") == nil)
  }

  @Test("The daemon is called when nothing waits unclaimed, and not again") func notify() throws {
    var listener = try schema.connect()
    _ = try listener.query("LISTEN consumptiond")
    var connection = try schema.connect()
    /// How many calls come of a payload. An enqueue of ours commits before the next statement ends.
    func calls(_ sql: String) throws -> Int {
      _ = try connection.query(sql)
      _ = try connection.query("NOTIFY done")
      _ = try listener.query("SELECT")
      return try listener.notifications(timeout: .milliseconds(50))
        .filter { $0.channel == "consumptiond" }.count
    }
    #expect(try calls("SELECT consumptiond.enqueue('a.b.1', notify => false)") == 0)
    _ = try connection.query("UPDATE consumptiond.inbox SET done = true")
    #expect(try calls("SELECT consumptiond.enqueue('a.b.2')") == 1)
    #expect(try calls("SELECT consumptiond.enqueue('a.b.3')") == 0)
    #expect(try calls("SELECT consumptiond.enqueue('a.b.2')") == 0)
    // Claimed rows do not wait: whoever works on them does not look for new ones.
    _ = try connection.query(
      "UPDATE consumptiond.inbox SET claimed_until = clock_timestamp() + interval '1 minute'")
    #expect(try calls("SELECT consumptiond.enqueue('a.b.4')") == 1)
    _ = try connection.query("UPDATE consumptiond.inbox SET done = true")
    #expect(try calls("SELECT consumptiond.enqueue('a.b.5')") == 1)
    _ = try connection.query("UPDATE consumptiond.inbox SET done = true")
    #expect(try calls("SELECT consumptiond.enqueue(repeat('x', 300000))") == 0)
  }

  @Test("Ten in one transaction are one call, without payload") func oneCall() throws {
    var listener = try schema.connect()
    _ = try listener.query("LISTEN consumptiond")
    var connection = try schema.connect()
    _ = try connection.query(
      "SELECT consumptiond.enqueue('t.b.' || n) FROM generate_series(1, 10) n")
    let calls = try listener.notifications(timeout: .seconds(5))
    #expect(calls.map(\.payload) == [""])
  }
}
