import AppStore
import Crypto
import Decision
import PostgreSQL
import Simulation
import Store
import TestSupport

@testable import Daemon

/// A database with one consenting customer, a stand-in for Apple, and daemons in this process, with
/// a lease of the test's choice.
struct House {
  static let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"

  let server: PostgresServer
  let database: String
  let store: SimulatedAppStore
  let signer: NotificationSigner
  let settings: Settings
  let events = TestSupport.Locked<[Log.Event]>([])

  init(
    on server: PostgresServer? = nil, lease: Duration, requestTimeout: Duration = .seconds(15),
    consent: String = "SELECT consents FROM account WHERE id = $customer"
  ) throws {
    self.server = try server ?? TestServer.shared()
    database = try self.server.createDatabase()
    let key = SigningKey()
    let chain = try SigningChain()
    store = try SimulatedAppStore(AppStoreSettings(publicKey: key.publicKey))
    signer = NotificationSigner(chain: chain, store: store)
    let policy = QueryPolicy(
      customer: [
        try NamedQuery("SELECT id FROM account WHERE token = $app_account_token::uuid")
      ],
      consent: try NamedQuery(consent), usage: nil,
      preference: PreferencePolicy(), searchPath: "public")
    let info = try Conninfo(self.server.conninfo(database: database))
    var settings = Settings(
      mode: .answer, database: info, listen: info,
      apps: [
        Settings.App(
          identity: AppIdentity(
            bundleId: "com.example.app", appAppleId: 1_234_567_890, environments: [.production]),
          keys: [
            APIKey(
              keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a", key: key)
          ],
          endpoints: [.production: Settings.Endpoint(url: store.url, rootsFile: nil)])
      ],
      anchors: try chain.anchors, queries: policy,
      response: ResponsePolicy(
        sampleContentProvided: false, deliveryStatus: .delivered, preference: PreferencePolicy()),
      deadline: DeadlinePolicy(), concurrency: 16, requestTimeout: requestTimeout,
      queryTimeout: .seconds(10), payloadRetention: .seconds(86_400))
    settings.lease = lease
    self.settings = settings
    var connection = try connect()
    _ = try Migrator.migrate(&connection)
    try connection.script(
      "CREATE TABLE account (id bigint, token uuid, consents boolean)", timeout: .seconds(10))
    _ = try connection.query(
      "INSERT INTO account VALUES (1, $1, true)", [.typed(Self.token, TypeID.uuid)])
  }

  func connect() throws -> Connection { try server.connect(to: database) }

  func value(_ sql: String) throws -> String? {
    var connection = try connect()
    return try connection.query(sql).first?.optionalString(0)
  }

  /// Runs a daemon beside `body`, and stops it.
  func withDaemon<Result>(_ body: (Daemon) async throws -> Result) async throws -> Result {
    var connection = try connect()
    let queries = try QueryCompiler.compile(settings.queries, on: &connection)
    let daemon = Daemon(
      settings, queries: queries,
      log: Log { [events] event in events.withLock { $0.append(event) } },
      drain: false)
    async let end = daemon.run()
    do {
      let result = try await body(daemon)
      daemon.stop()
      _ = await end
      return result
    } catch {
      daemon.stop()
      _ = await end
      throw error
    }
  }

  /// Enqueues a request; returns its transaction.
  func ask(id: String = "23456") throws -> String {
    let start = Instant.now() - .seconds(86_400)
    let payload = try signer.consumptionRequest(
      transaction: .subscription(
        id: id, originalId: "12345", token: Self.token, purchased: start,
        expires: start + .seconds(86_400 * 30)))
    var connection = try connect()
    _ = try connection.query("SELECT consumptiond.enqueue($1)", [.text(payload)])
    return id
  }

  func wait(
    _ what: String, within limit: Duration = .seconds(30), _ isTrue: () throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while (try? isTrue()) != true {
      guard ContinuousClock.now < end else { throw TestSupportError("waited in vain: \(what)") }
      try await Task.sleep(for: .milliseconds(15))
    }
  }

  func events(_ name: String) -> Int { events.withLock { $0.count { $0.name == name } } }
}
