import AppStore
import Simulation
import Testing

@testable import consumptiond

@Suite("status and show", .serialized)
struct StatusCommandTests {
  @Test("from an empty database to trouble of every kind, and what show tells of each")
  func whole() throws {
    let bench = try CommandBench()
    let calm = try bench.expectSuccess("status")
    #expect(calm.hasPrefix(" ! No daemon is connected to this database"))
    #expect(calm.contains("No request is open."))

    var signer = bench.signer
    signer.bundleId = "com.example.other"
    let payloads = [
      try bench.request(transaction: "1001"),
      try bench.request(transaction: "1002", consents: false),
      try bench.request(transaction: "1003", signedAt: .now() - .seconds(90_000)),
      try signer.test(), try bench.signer.test(),
    ]
    try bench.expectSuccess("enqueue", input: payloads.joined(separator: "\n"))
    #expect(try bench.run("show", "1").errors.contains("1: not read yet"))
    try bench.expectSuccess("run", "--drain")

    let status = try bench.expectSuccess("status")
    #expect(status.contains("!! 1 request missed the deadline in the last 7 days. The newest: 3"))
    #expect(status.contains("See: consumptiond show 3"))
    #expect(status.contains(" ! 1 payload rejected in the last 24 hours, 4 last: bundle_id: "))
    #expect(status.contains("Open: 1\nID  DUE             STATE            TRANSACTION"))
    #expect(status.contains(" 2  in 11 h 59 min  held no_consent  1002"))
    #expect(status.contains("\nanswered                             1\n"))
    #expect(!status.contains("\u{1B}"))

    let json = try ReadJSON(try bench.expectSuccess("status", "--json"))
    #expect(json["unread"]?.int == 0)
    #expect(json["missed_last_week"]?.int == 1)
    #expect(json["open"]?.array?.first?["transaction_id"]?.string == "1002")
    #expect(json["lost"]?.array?.first?["state_reason"]?.string == "expired_on_arrival")
    #expect(json["rejected"]?.array?.first?["reason"]?.string == "bundle_id")
    let problems = json["problems"]?.array?.compactMap { $0["problem"]?.string }
    #expect(problems == ["missed", "no_daemon", "rejected"])

    try checkShow(bench)
  }

  private func checkShow(_ bench: CommandBench) throws {
    let answered = try bench.expectSuccess("show", "1")
    #expect(answered.hasPrefix("Request 1  answered\nApple reported on "))
    #expect(answered.contains("\napp                   com.example.app (Production)\n"))
    #expect(answered.contains("\nFacts\n"))
    #expect(answered.contains("\nAttempts\n#  STARTED (UTC)"))
    #expect(answered.contains("  accepted   202\n"))
    #expect(try bench.expectSuccess("show", "1001") == answered)
    let uuid = try #require(
      try bench.sql("SELECT notification_uuid FROM consumptiond.request WHERE id = 1")[0])
    #expect(try bench.expectSuccess("show", uuid.uppercased()) == answered)

    let text = try bench.expectSuccess("show", "1", "--json")
    let stored = try bench.sql(
      "SELECT facts FROM consumptiond.request WHERE id = 1")
    #expect(text.contains(try #require(stored[0])))
    let json = try ReadJSON(text)
    #expect(json["state"]?.string == "answered")
    #expect(json["tries"]?.array?.first?["http_status"]?.int == 202)

    for (id, message) in [
      (
        "4",
        "4: rejected: bundle_id: notification: expected com.example.app, found com.example.other"
      ),
      ("5", "5: no request, a TEST notification"),
      ("77", "77: no such request, notification or transaction"),
      ("\u{1B}[2J", "\\u{1b}[2J: no such request, notification or transaction"),
    ] {
      let outcome = try bench.run("show", id)
      #expect(outcome.status == 65)
      #expect(outcome.errors == "consumptiond: \(message)\n")
    }
  }

  @Test("a transaction with two requests: both are listed and shown")
  func ambiguous() throws {
    let bench = try CommandBench()
    let payloads = try (1...2).map { _ in try bench.payload(transaction: "1001") }
    try bench.expectSuccess("enqueue", input: payloads.joined(separator: "\n"))
    try bench.expectSuccess("run", "--drain")
    let shown = try bench.expectSuccess("show", "1001")
    #expect(shown.hasPrefix("2 requests match 1001:\nID  STATE "))
    #expect(shown.contains("\nRequest 1  held (customer_unknown)\n"))
    #expect(shown.contains("\nRequest 2  held (customer_unknown)\n"))
    let lines = try bench.expectSuccess("show", "--json", "1001").split(separator: "\n")
    #expect(try lines.map { try ReadJSON(String($0))["id"]?.int } == [1, 2])
  }

  @Test("on a terminal of 80 columns no line is longer, and there is colour unless refused")
  func terminal() throws {
    let bench = try CommandBench()
    let payloads = [
      try bench.request(transaction: "2000000123456781"),
      try bench.request(transaction: "2000000123456782", consents: false, environment: .sandbox),
    ]
    try bench.expectSuccess("enqueue", input: payloads.joined(separator: "\n"))
    try bench.expectSuccess("run", "--drain")
    for words in [["status"], ["show", "1"], ["show", "2"], ["help"], ["verify", "/dev/null"]] {
      let coloured = try Program.runOnTerminal(words, in: bench.folder)
      let plain = try Program.runOnTerminal(words, in: bench.folder, environment: ["NO_COLOR": "1"])
      if words[0] != "help", words[0] != "verify" { #expect(coloured.output.contains("\u{1B}[1m")) }
      #expect(!plain.output.contains("\u{1B}"))
      for line in plain.output.split(separator: "\n") {
        #expect(TextWidth.of(line) <= 80, "\(line)")
      }
    }
    let log = try bench.runOnTerminal("run", "--drain", environment: ["NO_COLOR": "1"])
    #expect(log.output.contains("  info     started    answers for com.example.app"))
  }

  @Test("a support agent may show, and nothing else")
  func support() throws {
    let bench = try CommandBench(migrated: false)
    for role in ["consumptiond_support", "consumptiond_reader"] {
      try bench.sql(
        """
        DO $$ BEGIN
          IF to_regrole('\(role)') IS NULL THEN CREATE ROLE \(role) LOGIN; END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$
        """)
    }
    try bench.expectSuccess("migrate")
    try bench.expectSuccess("enqueue", input: bench.request(transaction: "1001"))
    try bench.expectSuccess("run", "--drain")
    func run(_ words: String..., role: String) throws -> Program.Outcome {
      try Program.run(
        words, in: bench.folder,
        environment: ["CONSUMPTIOND_DATABASE": bench.conninfo + " user=\(role)"])
    }
    for id in ["1", "1001"] {
      let shown = try run("show", id, role: "consumptiond_support")
      #expect(shown.status == 0, "\(shown.errors)")
      #expect(shown.output.hasPrefix("Request 1  answered\n"))
    }
    #expect(try run("show", "7", role: "consumptiond_support").status == 65)
    #expect(try run("show", "1", role: "consumptiond_reader").status == 77)
    #expect(try run("status", role: "consumptiond_support").status == 77)
  }

  @Test("numbers are shown to programs as PostgreSQL has them, however large")
  func digits() throws {
    let bench = try CommandBench()
    try bench.expectSuccess("enqueue", input: bench.request(transaction: "1001"))
    try bench.expectSuccess("run", "--drain")
    let (large, fine) = (
      "1" + String(repeating: "0", count: 300),
      "0.10000000000000000000000000000000000000000000000001"
    )
    for number in [fine, large] {
      try bench.sql(
        "UPDATE consumptiond.request_evidence SET facts = jsonb_build_object('cost', \(number)::numeric)"
      )
      for words in [["show", "1", "--json"], ["show", "1"]]
      where words.count == 3 || number == large {
        let outcome = try Program.run(words, in: bench.folder)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\"cost\": \(number)}"))
      }
    }
  }

  @Test("without a schema: 78, and what to do")
  func noSchema() throws {
    let bench = try CommandBench(migrated: false)
    for words in [["status"], ["show", "1"]] {
      let outcome = try Program.run(words, in: bench.folder)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("run"))
      #expect(outcome.errors.contains("consumptiond migrate"))
    }
  }
}
