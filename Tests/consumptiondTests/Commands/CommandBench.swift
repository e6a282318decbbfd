import AppStore
import Crypto
import Foundation
import PostgreSQL
import Simulation
import TestSupport

/// A database with the schema, a configuration for it, and a signer that the configuration trusts.
final class CommandBench {
  let folder: String
  let database: String
  let signer: NotificationSigner
  private let store: SimulatedAppStore
  private let server: PostgresServer

  init(migrated: Bool = true) throws {
    server = try TestServer.shared()
    database = try server.createDatabase()
    folder = try temporaryFolder()
    let key = SigningKey()
    let chain = try SigningChain()
    store = try SimulatedAppStore(AppStoreSettings(publicKey: key.publicKey))
    signer = NotificationSigner(chain: chain)
    try write("root.pem", chain.rootPEM)
    try write("key.p8", key.pem())
    try write("consumptiond.json", configuration)
    try sql("CREATE TABLE account (id bigint, token uuid, consents boolean)")
    if migrated { try expectSuccess("migrate") }
  }

  deinit {
    store.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var conninfo: String { server.conninfo(database: database) }

  private var configuration: String {
    """
    { mode: "answer", database: "\(conninfo)", history: "off", trustedRoots: ["root.pem"],
      apps: [{ bundleId: "com.example.app", appAppleId: 1234567890,
        environments: ["Production", "Sandbox"],
        keys: [{ keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a",
                 file: "key.p8" }],
        endpoints: { Production: "\(store.url)", Sandbox: "\(store.url)" } }],
      customer: { query: "SELECT id FROM account WHERE token = $app_account_token::uuid" },
      consent: { query: "SELECT consents FROM account WHERE id = $customer" },
      response: { sampleContentProvided: false, deliveryStatus: "DELIVERED" } }
    """
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  @discardableResult
  func sql(_ statement: String) throws -> [String?] {
    var connection = try server.connect(to: database)
    let rows = try connection.query(statement, timeout: .seconds(30))
    return try rows.map { try $0.optionalString(0) }
  }

  func run(_ words: String..., input: String = "") throws -> Program.Outcome {
    try Program.run(words, in: folder, input: input)
  }

  func runOnTerminal(_ words: String..., environment: [String: String] = [:]) throws
    -> Program.Outcome
  {
    try Program.runOnTerminal(words, in: folder, environment: environment)
  }

  @discardableResult
  func expectSuccess(_ words: String..., input: String = "") throws -> String {
    let outcome = try Program.run(words, in: folder, input: input)
    guard outcome.status == 0 else {
      throw TestSupportError("\(words): status \(outcome.status): \(outcome.errors)")
    }
    return outcome.output
  }

  /// A customer, and a request of theirs.
  func request(
    transaction: String, consents: Bool = true, signedAt: Instant = .now(),
    environment: AppStore.Environment = .production
  ) throws -> String {
    let token = UUID().uuidString.lowercased()
    try sql("INSERT INTO account VALUES (\(transaction), '\(token)', \(consents))")
    return try payload(
      transaction: transaction, token: token, signedAt: signedAt, environment: environment)
  }

  func payload(
    transaction: String, token: String? = nil, signedAt: Instant = .now(),
    environment: AppStore.Environment = .production
  ) throws -> String {
    let start = Instant.now() - .seconds(10 * 86_400)
    var signer = signer
    signer.environment = environment
    return try signer.consumptionRequest(
      transaction: .subscription(
        id: transaction, token: token, purchased: start, expires: start + .seconds(30 * 86_400)),
      signedAt: signedAt)
  }
}
