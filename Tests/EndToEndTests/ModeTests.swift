import AppStore
import Crypto
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("Observing, pausing, and people's words") struct ModeTests {
  /// What was found and decided.
  private static let evidence = [
    "customer", "consent", "period_start", "period_end", "period_position", "currency", "cost",
    "facts", "rule", "refund_preference", "body",
  ]

  @Test("observe: what was decided before, by a daemon that answered, is not sent either")
  func observeDecided() async throws {
    try await Bench.run { bench in
      let (_, token) = try bench.account()
      bench.store.fail(.rateLimited(.seconds(600)))
      let asked = try bench.ask(token: token)
      let answering = try bench.daemon()
      try await bench.wait(asked, for: "waiting")
      answering.send(15)
      #expect(try await answering.waitForEnd() == .exit(0))
      bench.store.recover()

      var other = bench.configuration
      other.root["mode"] = "observe"
      let file = bench.configuration.folder + "/observe.json"
      try other.write(to: file)
      try bench.database.query(
        "UPDATE consumptiond.request_state SET next_attempt_at = clock_timestamp() WHERE id = $1",
        .int(asked.id))
      try bench.daemon(config: file)
      let row = try await bench.wait(asked, for: "observed")
      #expect(row.attempts == 1)
      #expect(bench.bodies(asked).count == 1)
      #expect(row["explanation"]?.contains("Nothing more was sent") == true)
    }
  }

  @Test("observe: nothing on the wire, and the same evidence as an answer has") func observe()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      // Settled usage: both daemons count until the same instant.
      let signedAt = Instant.now()
      var other = bench.configuration
      other.root["mode"] = "observe"
      let file = bench.configuration.folder + "/observe.json"
      try other.write(to: file)
      let observer = try bench.daemon(config: file)
      let seen = try bench.ask(token: token, transaction: transaction, signedAt: signedAt)
      let silent = try bench.ask(token: bench.account(consents: false).token)
      let observed = try await bench.wait(seen, for: "observed")
      // Consent is asked for as always.
      #expect(try await bench.wait(silent, for: "held").reason == "no_consent")
      observer.send(15)
      #expect(try await observer.waitForEnd() == .exit(0))
      #expect(bench.store.connections == 0)
      #expect(observed.attempts == 0)
      #expect(observed["answered_at"] == nil)
      #expect(observed["http_status"] == nil)
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.lease") == "0")

      let asked = try bench.ask(token: token, transaction: transaction, signedAt: signedAt)
      try await bench.drain()
      let answered = try await bench.wait(asked, for: "answered")
      for column in Self.evidence {
        #expect(observed[column] == answered[column], "\(column)")
        #expect(observed[column] != nil, "\(column)")
      }
      #expect(observed["rule"] == "heavy")
      #expect(observed["refund_preference"] == "DECLINE")
      #expect(bench.store.requests.count == 1)
      // It stays observed.
      #expect(try bench.row(seen.id)?.state == "observed")
    }
  }

  @Test("observe: a rule that says not to answer is observed too, and says so") func observeRule()
    async throws
  {
    try await Bench.run {
      $0["mode"] = "observe"
      $0["response", "refundPreference"] = [
        "rules": [["name": "silent", "when": "cost >= 5", "prefer": "NO_ANSWER"]]
      ]
    } _: { bench in
      let asked = try bench.askHeavy()
      try await bench.drain()
      let row = try await bench.wait(asked, for: "observed")
      #expect(row["rule"] == "silent")
      #expect(row["body"] == nil)
      #expect(bench.store.connections == 0)
    }
  }

  /// A configuration with a second app, which Apple knows elsewhere.
  private static func addApp(_ bench: Bench, _ store: SimulatedAppStore) throws -> String {
    var both = bench.configuration
    guard case .array(let apps)? = both.root["apps"], var second = apps[0].object else {
      throw TestSupportError("no apps")
    }
    second["bundleId"] = "com.example.other"
    second["endpoints"] = ["Production": .string(store.url)]
    second["environments"] = ["Production"]
    both.root["apps"] = .array(apps + [.object(second)])
    let file = bench.configuration.folder + "/both.json"
    try both.write(to: file)
    return file
  }

  @Test("A pause stops one app and no other; deadlines stay; resume goes on") func pause()
    async throws
  {
    try await Bench.run { bench in
      let store = try SimulatedAppStore(
        AppStoreSettings(
          bundleId: "com.example.other", publicKey: bench.configuration.key.publicKey))
      defer { store.stop() }
      let daemon = try bench.daemon(config: Self.addApp(bench, store))
      try await daemon.waitForEvent("started")
      try bench.database.query(
        "INSERT INTO consumptiond.pause (bundle_id, by_whom, note) VALUES ('com.example.app', 'ann', 'audit')"
      )
      let paused = try bench.askHeavy()
      try await until("the paused one is read") { try bench.row(paused.id) != nil }
      let deadline = try bench.row(paused.id)?["deadline"]
      let signer = NotificationSigner(
        chain: bench.configuration.chain, store: store, bundleId: "com.example.other")
      // The other app's requests all pass by the one before them.
      for _ in 0..<3 {
        let transaction = bench.subscription(token: try bench.account().token)
        let other = Asked(
          id: try bench.enqueue(signer.consumptionRequest(transaction: transaction)),
          transaction: transaction.id)
        try await bench.wait(other, for: "answered")
      }
      let row = try bench.row(paused.id).orThrow("the paused request")
      #expect(row.state == "queued")
      #expect(row["deadline"] == deadline)
      #expect(bench.bodies(paused).isEmpty)
      #expect(store.accepted.count == 3)
      try await daemon.waitForEvent("paused")
      // --drain does not wait for what is paused.
      try await bench.drain()
      #expect(try bench.row(paused.id)?.state == "queued")

      try bench.database.query("DELETE FROM consumptiond.pause")
      let answered = try await bench.wait(paused, for: "answered")
      #expect(answered["deadline"] == deadline)
      #expect(answered.attempts == 1)
      try await daemon.waitForEvent("resumed")
    }
  }

  @Test("A pause of all: what waits for a retry stays too, and the deadline's late attempt waits")
  func pauseAll() async throws {
    try await Bench.run { bench in
      bench.store.fail(.rateLimited(.seconds(2)), times: 1)
      let daemon = try bench.daemon()
      let asked = try bench.askHeavy()
      try await bench.wait(asked, for: "waiting")
      try bench.database.query(
        "INSERT INTO consumptiond.pause (by_whom) VALUES ('ann')")
      try await daemon.waitForEvent("paused")
      try await bench.wait(asked, for: "queued")
      try bench.database.query(
        "UPDATE consumptiond.request_state SET deadline = clock_timestamp() WHERE id = $1",
        .int(asked.id))
      try await until("the deadline passed") { try bench.row(asked.id)?["late"] == "true" }
      #expect(try bench.row(asked.id)?.state == "queued")
      #expect(bench.store.requests.count == 1)
      try bench.database.query("DELETE FROM consumptiond.pause")
      #expect(try await bench.wait(asked, for: "answered").reason == "late")
      #expect(bench.store.requests.count == 2)
    }
  }

  private static func override(_ bench: Bench, _ transaction: String, _ preference: String) throws {
    try bench.database.query(
      "INSERT INTO consumptiond.override (transaction_id, preference, by_whom) VALUES ($1, $2, 'ann')",
      .text(transaction), .text(preference))
  }

  @Test(
    "A person's word goes before the rules, and the newest word counts",
    arguments: ["GRANT_FULL", "NONE", "NO_ANSWER"])
  func override(preference: String) async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
      try Self.override(bench, transaction.id, "GRANT_PRORATED")
      try Self.override(bench, transaction.id, preference)
      let asked = try bench.ask(token: token, transaction: transaction)
      let plain = try bench.askHeavy()
      try await bench.drain()
      let row = try await bench.wait(
        asked, for: preference == "NO_ANSWER" ? "withheld" : "answered")
      #expect(row["rule"] == nil)
      #expect(row["refund_preference"] == (preference == "GRANT_FULL" ? "GRANT_FULL" : nil))
      // The facts are kept all the same.
      #expect(row["cost"] == "9")
      #expect(row["explanation"]?.contains("ann") == true)
      #expect(bench.bodies(asked).count == (preference == "NO_ANSWER" ? 0 : 1))
      #expect(try await bench.wait(plain, for: "answered")["rule"] == "heavy")
    }
  }

  @Test("No consent: a person's word sends nothing") func overrideWithoutConsent() async throws {
    try await Bench.run { bench in
      let token = try bench.account(consents: false).token
      let transaction = bench.subscription(token: token)
      try Self.override(bench, transaction.id, "GRANT_FULL")
      let asked = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      #expect(try await bench.wait(asked, for: "held").reason == "no_consent")
      #expect(bench.store.connections == 0)
    }
  }

  private static func review(_ root: inout JSONObject) {
    root["response", "refundPreference"] = [
      "rules": [["name": "ask a person", "when": "cost >= 5", "prefer": "REVIEW"]],
      "otherwise": "GRANT_FULL", "whenUnknown": "GRANT_PRORATED",
    ]
  }

  /// Signed so that the decision is due in so many seconds.
  private static func signedAt(decisionIn seconds: Int) -> Instant {
    Instant.now() - .seconds(12 * 3600 - 1800 - seconds)
  }

  @Test("REVIEW is held for a person until decideBy, and then counts as unknown") func review()
    async throws
  {
    try await Bench.run {
      Self.review(&$0)
    } _: { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      try bench.daemon()
      let asked = try bench.ask(token: token, signedAt: Self.signedAt(decisionIn: 8))
      let held = try await bench.wait(asked, for: "held")
      #expect(held.reason == "review")
      #expect(held["customer"] == String(id))
      #expect(bench.store.connections == 0)
      let row = try await bench.wait(asked, for: "answered", within: .seconds(40))
      #expect(row["refund_preference"] == "GRANT_PRORATED")
      #expect(
        try bench.database.isTrue(
          """
          SELECT answered_at BETWEEN deadline - interval '30 minutes'
              AND deadline - interval '29 minutes 30 seconds'
          FROM consumptiond.request WHERE id = $1
          """, .int(asked.id)))
    }
  }

  @Test("A person's word ends the review at once") func reviewed() async throws {
    try await Bench.run {
      Self.review(&$0)
    } _: { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      try bench.daemon()
      let asked = try bench.ask(token: token)
      try await bench.wait(asked, for: "held")
      try Self.override(bench, asked.transaction, "DECLINE")
      try bench.database.query(
        """
        UPDATE consumptiond.request_state SET state = 'queued', state_reason = NULL,
            next_attempt_at = NULL
        WHERE id = $1
        """, .int(asked.id))
      let row = try await bench.wait(asked, for: "answered")
      #expect(row["refund_preference"] == "DECLINE")
      #expect(row["rule"] == nil)
    }
  }

  @Test("Consent withdrawn under review: held for that, and not answered") func reviewWithdrawn()
    async throws
  {
    try await Bench.run {
      Self.review(&$0)
    } _: { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      try bench.daemon()
      let asked = try bench.ask(token: token, signedAt: Self.signedAt(decisionIn: 8))
      try await bench.wait(asked, for: "held")
      try bench.database.query("UPDATE consent SET granted = false")
      try await until("consent is looked at again", within: .seconds(40)) {
        try bench.row(asked.id)?.reason == "no_consent"
      }
      #expect(bench.store.connections == 0)
    }
  }
}
