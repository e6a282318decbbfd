import AppStore
import Daemon
import Decision
import FoundationEssentials
import Testing

@testable import consumptiond

@Suite("Configuration") struct ConfigurationTests {
  @Test("the design's sample is read as it is written") func sample() throws {
    let configuration = try ConfigurationFixture().load()
    let app = try #require(configuration.apps.first)
    #expect(configuration.apps.count == 1)
    #expect(app.bundleId == "com.example.app")
    #expect(app.appAppleId == 1_234_567_890)
    #expect(app.environments == [.production, .sandbox])
    #expect(app.keys[0].api.keyId == "2X9R4HXF34")
    #expect(app.keys[0].api.issuerId == "57246542-96fe-1a63-e053-0824d011072a")
    #expect(app.endpoints.isEmpty)
    #expect(
      configuration.connections.database?.revealed
        == "host=/run/postgresql dbname=app user=consumptiond")
    #expect(
      configuration.connections.listen == .direct(Secret("host=db1 dbname=app user=consumptiond")))
    #expect(!configuration.connections.allowInsecureDatabase)
    #expect(configuration.connections.searchPath == "pg_catalog, public")
    #expect(
      configuration.customer.map(\.parameters) == [[.appAccountToken], [.originalTransactionId]])
    #expect(configuration.consent.parameters == [.customer])
    #expect(configuration.deadline == DeadlinePolicy())
    #expect(configuration.worker == Configuration.Worker())
    #expect(configuration.retention == Configuration.Retention())
  }

  @Test("usage sources keep names, columns and every digit") func usage() throws {
    let usage = try #require(try ConfigurationFixture().load().usage)
    #expect(usage.currency == "USD")
    let unitCost = try #require(ExactDecimal("0.0004"))
    #expect(
      usage.sources.prefix(2) == [
        UsageSource(
          name: "ai_generations",
          measure: .events(
            EventsTable(
              table: "public.generation", customer: "account_id", time: "created_at",
              amount: .cost(column: "cost_usd"))), settle: .seconds(600)),
        UsageSource(
          name: "api_calls",
          measure: .events(
            EventsTable(
              table: "public.api_call", customer: "account_id", time: "called_at",
              amount: .quantity(column: "units", unitCost: unitCost), filter: "NOT internal"))),
      ])
    let unit = try #require(ExactDecimal("1073741824"))
    let unitCostPerMonth = try #require(ExactDecimal("0.023"))
    let fresh = try NamedQuery("SELECT max(taken_at) FROM storage_level")
    #expect(
      usage.sources[2]
        == UsageSource(
          name: "storage",
          measure: .level(
            LevelTable(
              table: "public.storage_level", customer: "account_id", time: "taken_at",
              level: "bytes", series: "bucket_id", before: .zero, unit: unit,
              unitCostPerMonth: unitCostPerMonth)),
          fresh: UsageSource.Freshness(query: fresh, within: .seconds(26 * 3600))))
    guard case .query(let query) = usage.sources[3].measure else {
      Issue.record("transcription is a query")
      return
    }
    #expect(query.parameters == [.customer, .from, .until])
  }

  @Test("a level without unit counts in its own; a source says where it applies") func level()
    throws
  {
    let text = ConfigurationFixture.sample
      .replacing("unit: 1073741824, ", with: "")
      .replacing("series: \"bucket_id\", before: \"zero\"", with: "before: \"unknown\"")
      .replacing("settle: \"10m\"", with: "environments: [\"Production\"]")
    let usage = try #require(try ConfigurationFixture(text).load().usage)
    guard case .level(let level) = usage.sources[2].measure else {
      Issue.record("storage is a level")
      return
    }
    #expect(level.unit == .one)
    #expect(level.series == nil)
    #expect(level.before == .unknown)
    #expect(usage.sources[0].environments == [.production])
    #expect(usage.sources[0].settle == .zero)
    #expect(usage.sources[2].environments == [.production, .sandbox])
  }

  @Test("mode, instance, and rules for a person") func modes() throws {
    let text = ConfigurationFixture.sample
      .replacing("mode: \"answer\"", with: "mode: \"observe\", instance: \"eu-1.production\"")
      .replacing("prefer: \"DECLINE\"", with: "prefer: \"REVIEW\"")
      .replacing("whenUnknown: \"NONE\"", with: "whenUnknown: \"NO_ANSWER\"")
    let configuration = try ConfigurationFixture(text).load()
    #expect(configuration.mode == .observe)
    #expect(configuration.instance == "eu-1.production")
    #expect(configuration.response.preference.rules[2].prefer == .review)
    #expect(configuration.response.preference.whenUnknown == .noAnswer)
    let plain = try ConfigurationFixture().load()
    #expect(plain.mode == .answer)
    #expect(plain.instance == nil)
  }

  @Test("the response is the company's own words") func response() throws {
    let response = try ConfigurationFixture().load().response
    #expect(response.sampleContentProvided)
    #expect(response.deliveryStatus == .delivered)
    #expect(
      response.preference.rules.map(\.prefer) == [.none, .grantFull, .decline, .grantProrated])
    #expect(response.preference.rules[2].when == "cost_share >= 0.5")
    #expect(response.preference.otherwise == .none)
    #expect(response.preference.whenUnknown == .none)
  }

  @Test("C-05: the smallest configuration says nothing on its own") func smallest() throws {
    let configuration = try ConfigurationFixture(
      """
      {"mode": "answer",
       "apps": [{"bundleId": "com.example.app", "environments": ["Sandbox"],
         "keys": [{"keyId": "K", "issuerId": "57246542-96fe-1a63-e053-0824d011072a", "file": "keys/AuthKey.p8"}]}],
       "customer": {"query": "SELECT 1;"},
       "consent": {"query": "SELECT true"},
       "response": {"sampleContentProvided": false, "deliveryStatus": "DELIVERED"}}
      """
    ).load()
    #expect(configuration.connections.database == nil)
    #expect(configuration.connections.listen == .database)
    #expect(configuration.usage == nil)
    #expect(configuration.response.preference == PreferencePolicy())
    #expect(configuration.response.preference.choice(for: .otherwise, mayReview: true) == .none)
    #expect(configuration.apps[0].appAppleId == nil)
    #expect(configuration.customer.map(\.sql) == ["SELECT 1"])
  }

  @Test(
    "numbers are exact",
    arguments: [
      ("0.0004", "0.0004"), ("0", "0"), ("12", "12"), ("0.10", "0.1"), (".5", "0.5"),
      ("1e-7", "0.0000001"), ("0.1234567890123456789012345678901234567", nil),
      ("4.99", "4.99"), ("90071992547409931.1", nil),
    ] as [(String, String?)])
  func exactNumbers(written: String, read: String?) throws {
    let text = ConfigurationFixture.sample.replacing("0.0004", with: written)
    let usage = try #require(try ConfigurationFixture(text).load().usage)
    guard case .events(let table) = usage.sources[1].measure,
      case .quantity(_, let unitCost) = table.amount
    else {
      Issue.record("api_calls has quantity and unitCost")
      return
    }
    #expect(unitCost.text == read ?? written)
  }

  @Test("any string may come from the environment or a file") func references() throws {
    let text = ConfigurationFixture.sample
      .replacing("\"host=/run/postgresql dbname=app user=consumptiond\"", with: "{ file: \"db\" }")
      .replacing("keyId: \"2X9R4HXF34\"", with: "keyId: { env: \"KEY_ID\" }")
      .replacing("\"keys/AuthKey.p8\"", with: "\"${CREDENTIALS_DIRECTORY}/AuthKey.p8\"")
    let fixture = try ConfigurationFixture(text, files: ["db": "dbname=other password=s3cret\n"])
    let configuration = try fixture.load([
      "KEY_ID": "FROMENV123", "CREDENTIALS_DIRECTORY": fixture.folder + "/keys",
    ])
    #expect(configuration.connections.database?.revealed == "dbname=other password=s3cret")
    #expect(configuration.apps[0].keys[0].api.keyId == "FROMENV123")
  }

  @Test("CONSUMPTIOND_DATABASE goes before the file's database") func databaseOverride() throws {
    let configuration = try ConfigurationFixture().load(["CONSUMPTIOND_DATABASE": "dbname=env"])
    #expect(configuration.connections.database?.revealed == "dbname=env")
    #expect(
      try ConfigurationFixture().fault(["CONSUMPTIOND_DATABASE": "password=s3cret host"])
        == "consumptiond.json: database (from CONSUMPTIOND_DATABASE): found what libpq cannot "
        + "read, expected a libpq conninfo or URI")
    let untouched = try ConfigurationFixture().load(["CONSUMPTIOND_DATABASE": ""])
    #expect(untouched.connections.database?.revealed.hasPrefix("host=/run") == true)
  }

  @Test("stand-ins for Apple's hosts, with roots of their own") func endpoints() throws {
    let text = ConfigurationFixture.sample.replacing(
      "environments: [",
      with: """
        endpoints: { Production: { url: "https://store.example:8443/", roots: "root.pem" },
          Sandbox: "http://127.0.0.1:8080" },
        environments: [
        """
    ).replacing("customer: [", with: "trustedRoots: [\"root.pem\"], customer: [")
    let fixture = try ConfigurationFixture(text)
    let app = try #require(try fixture.load().apps.first)
    #expect(
      app.endpoints == [
        .production: Configuration.Endpoint(
          url: "https://store.example:8443", rootsFile: fixture.folder + "/root.pem"),
        .sandbox: Configuration.Endpoint(url: "http://127.0.0.1:8080", rootsFile: nil),
      ])
  }

  @Test("settings are read") func settings() throws {
    let text = ConfigurationFixture.sample
      .replacing("decideBy: \"30m\"", with: "decideBy: \"1h\"")
      .replacing("[\"6h\", \"2h\", \"45m\"]", with: "[\"90s\"]")
      .replacing("concurrency: 16", with: "concurrency: 64")
      .replacing("requestTimeout: \"15s\"", with: "requestTimeout: \"5s\"")
      .replacing("payloads: \"7d\"", with: "payloads: \"24h\"")
      .replacing("listen: \"host=db1 dbname=app user=consumptiond\"", with: "listen: \"off\"")
      .replacing("history: \"off\"", with: "allowInsecureDatabase: true, searchPath: \"app\"")
    let configuration = try ConfigurationFixture(text).load()
    #expect(configuration.deadline.decideBy == .seconds(3600))
    #expect(configuration.deadline.alertWhenLeft == [.seconds(90)])
    #expect(configuration.worker.concurrency == 64)
    #expect(configuration.worker.requestTimeout == .seconds(5))
    #expect(configuration.retention.payloads == .seconds(86_400))
    #expect(configuration.connections.listen == .off)
    #expect(configuration.connections.allowInsecureDatabase)
    #expect(configuration.connections.searchPath == "app")
  }

  @Test("the file is looked for here, then in /etc; nowhere is one line") func search() throws {
    let fixture = try ConfigurationFixture()
    let found = try ConfigurationFile.load(
      nil, environment: [:], searching: [fixture.folder + "/none.json", fixture.file])
    #expect(found.file == fixture.file)
    let error = #expect(throws: ConfigurationError.self) {
      try ConfigurationFile.load(
        nil, environment: [:], searching: ["/none/a.json", "/none/b.json"])
    }
    #expect(error.map { "\($0)" } == "/none/a.json: no such file, nor /none/b.json")
    #expect(
      ConfigurationFile.searched == ["consumptiond.json", "/etc/consumptiond/consumptiond.json"])
  }

  @Test("a secret shows itself to nobody") func secrets() {
    let secret = Secret("password=s3cret")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
      #expect(!text.contains("s3cret"))
    }
  }
}
