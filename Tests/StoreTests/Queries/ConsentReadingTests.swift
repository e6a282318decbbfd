import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Consent") struct ConsentReadingTests {
  private let database: UserDatabase

  init() throws { database = try UserDatabase() }

  private func read(
    _ query: String, columns: Int = 1, batch: ReadOnlyBatch = UserDatabase.batch
  ) throws -> ConsentFinding? {
    var connection = try database.connect()
    let reading = ConsentReading(try NamedQuery(query), columns: columns)
    return try reading.read([try .sample(customer: "7")], batch: batch, on: &connection).first
  }

  @Test("B-02: one explicit true is a yes, and nothing else is") func values() throws {
    #expect(try read("SELECT true") == .granted(ConsentProof(json: #"{"granted": true}"#)))
    #expect(try read("SELECT true WHERE $customer = '8'") == .notGranted(nil))
    #expect(
      try read("SELECT false") == .notGranted(ConsentProof(json: #"{"granted": false}"#)))
    #expect(try read("SELECT NULL::boolean") == .notGranted(ConsentProof(json: "{}")))
    for rows in ["(true), (true)", "(true), (false)", "(false), (true)", "(NULL), (true)"] {
      #expect(try read("SELECT * FROM (VALUES \(rows)) v(g)") == .ambiguous, "\(rows)")
    }
    #expect(try read("SELECT $customer = '7' ; -- yes") != .notGranted(nil))
  }

  @Test("B-02: a query that fails is neither a yes nor a no") func errors() throws {
    for query in [
      "SELECT 1/0 = 1", "SELECT pg_sleep(60) IS NOT NULL", "SELECT granted FROM nowhere",
    ] {
      let finding = try read(
        query,
        batch: ReadOnlyBatch(
          searchPath: "public", statementTimeout: .milliseconds(200), budget: .seconds(10)))
      guard case .unavailable(let error) = finding else {
        Issue.record("\(query): \(String(describing: finding))")
        continue
      }
      #expect(error.message.hasPrefix("consent.query: "))
    }
  }

  @Test("B-02: consent that is dated more than a minute ahead is not there yet") func ahead() throws
  {
    for (at, isGranted) in [
      ("now() - interval '10 years'", true), ("now()", true),
      ("now() + interval '50 seconds'", true),
      ("now() + interval '70 seconds'", false), ("now() + interval '1 day'", false),
      ("'infinity'::timestamptz", false), ("NULL::timestamptz", true),
    ] {
      guard let finding = try read("SELECT true, \(at)", columns: 2) else { continue }
      if case .granted = finding {
        #expect(isGranted, "\(at)")
      } else {
        #expect(!isGranted, "\(at)")
      }
    }
  }

  @Test("The proof holds what the query gives, by position, in UTC") func proof() throws {
    let at = "timestamptz '2026-11-01 12:00:00+02'"
    for (query, columns, json) in [
      ("SELECT true AS x, \(at) AS y", 2, #"{"at": "2026-11-01T10:00:00+00:00", "granted": true}"#),
      (
        "SELECT true, \(at), 'settings'", 3,
        #"{"at": "2026-11-01T10:00:00+00:00", "source": "settings", "granted": true}"#
      ),
      (
        "SELECT true, \(at), NULL, 'v2'", 4,
        #"{"at": "2026-11-01T10:00:00+00:00", "granted": true, "version": "v2"}"#
      ),
    ] {
      #expect(
        try read(query, columns: columns) == .granted(ConsentProof(json: json)), "\(query)")
    }
  }

  @Test("A withdrawal between two looks is seen") func withdrawn() throws {
    var connection = try database.connect()
    try connection.script(
      "CREATE TABLE consent (granted boolean); INSERT INTO consent VALUES (true)")
    let query = "SELECT granted FROM consent"
    guard case .granted? = try read(query) else {
      Issue.record("no consent")
      return
    }
    _ = try connection.query("UPDATE consent SET granted = false")
    #expect(try read(query) == .notGranted(ConsentProof(json: #"{"granted": false}"#)))
  }

  @Test("What consent cannot be is said before the first request") func shapes() throws {
    var connection = try database.connect()
    for (query, message) in [
      ("SELECT FROM (SELECT 1) x", "found 0 columns"), ("SELECT 1, 2, 3, 4, 5", "found 5 columns"),
      ("SELECT 'true'", "column 1 (?column?) is not a boolean"),
      ("SELECT 1 AS granted", "column 1 (granted) is not a boolean"),
      ("SELECT true, now()::timestamp AS at", "column 2 (at) is not a timestamptz"),
      ("SELECT true, current_date", "column 2 (current_date) is not a timestamptz"),
    ] {
      let fault = try UserDatabase.fault(consent: query, on: &connection)
      #expect(fault?.hasPrefix("consent.query: \(message)") == true, "\(query): \(fault ?? "none")")
    }
    try connection.script("CREATE DOMAIN yes AS boolean")
    #expect(
      try UserDatabase.fault(
        consent: "SELECT true::yes, now(), 'settings', 3", on: &connection) == nil)
  }
}
