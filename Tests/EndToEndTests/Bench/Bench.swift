import AppStore
import Crypto
import Foundation
import PostgreSQL
import Simulation
import TestSupport

/// A database, a stand-in for the App Store, a signer and a configuration, wired together, and the
/// daemons that a test starts on them.
final class Bench: Sendable {
  let database: Database
  let store: SimulatedAppStore
  let signer: NotificationSigner
  let configuration: BenchConfiguration
  private let daemons = Locked<[DaemonProcess]>([])
  private let accounts = Locked(0)

  private static let slots = Slots(16)
  private static let transactions = Locked(700_000_000_000)

  /// Makes a bench, runs a test on it and takes it away.
  ///
  /// - Parameters:
  ///   - server: nil for the one that is shared.
  ///   - tls: what the stand-in speaks; nil for plain HTTP.
  ///   - configure: changes the configuration before it is written.
  ///   - then: the same, when the database is there.
  static func run(
    on server: BenchServer? = nil, tls: TLSServer? = nil,
    configure: (inout JSONObject) throws -> Void = { _ in },
    then: @escaping @Sendable (Database, inout JSONObject) -> Void = { _, _ in },
    _ test: (Bench) async throws -> Void
  ) async throws {
    await slots.enter()
    do {
      var object = BenchConfiguration.template
      try configure(&object)
      let root = object
      let bench = try await offThePool { try Bench(server ?? .shared(), tls, root, then) }
      do {
        try await test(bench)
      } catch {
        bench.tellWhatHappened()
        bench.close()
        throw error
      }
      bench.close()
    } catch {
      await slots.leave()
      throw error
    }
    await slots.leave()
  }

  private init(
    _ server: BenchServer, _ tls: TLSServer?, _ root: JSONObject,
    _ then: (Database, inout JSONObject) -> Void
  ) throws {
    database = try server.makeDatabase()
    let folder = try temporaryFolder(prefix: "consumptiond-bench-")
    var configuration = try BenchConfiguration(
      folder: folder, root: root)
    store = try SimulatedAppStore(
      AppStoreSettings(publicKey: configuration.key.publicKey), tls: tls)
    signer = NotificationSigner(chain: configuration.chain, store: store)
    try configuration.makeFiles()
    configuration.complete(
      database: database.conninfo,
      endpoint: tls == nil ? .string(store.url) : ["url": .string(store.url), "roots": "tls.pem"])
    then(database, &configuration.root)
    try configuration.write()
    self.configuration = configuration
  }

  /// What a failure cannot be understood without.
  private func tellWhatHappened() {
    let states = try? database.query(
      "SELECT id, state, state_reason, attempts, last_error FROM consumptiond.request ORDER BY id")
    let text = (states ?? []).map { row in
      row.map { $0 ?? "-" }.joined(separator: " | ")
    }.joined(separator: "\n")
    print("requests:\n\(text)\nlogs:\n\(logs.suffix(4000))")
  }

  private func close() {
    for daemon in daemons.withLock({ $0 }) { daemon.dispose() }
    store.stop()
    database.close()
    _ = try? FileManager.default.removeItem(atPath: configuration.folder)
  }

  // MARK: Daemons

  /// Starts a daemon.
  @discardableResult
  func daemon(
    _ arguments: String..., config: String? = nil, environment: [String: String] = [:],
    wrapper: [String] = []
  ) throws -> DaemonProcess {
    let number = daemons.withLock { $0.count }
    let daemon = try DaemonProcess(
      ["run"] + arguments + ["--config", config ?? configuration.file],
      logFile: "\(configuration.folder)/log-\(number)-\(arguments.joined())",
      environment: environment, wrapper: wrapper)
    daemons.withLock { $0.append(daemon) }
    return daemon
  }

  /// Works until nothing is due.
  func drain(within limit: Duration = .seconds(40)) async throws {
    let daemon = try daemon("--drain")
    guard try await daemon.waitForEnd(within: limit) == .exit(0) else {
      throw TestSupportError("--drain ended with \(String(describing: daemon.hasEnded))")
    }
  }

  /// What all daemons of this bench have logged.
  var logs: String { daemons.withLock { $0 }.map(\.log).joined() }

  // MARK: The app

  /// A customer with a token of Apple's.
  func account(consents: Bool? = true) throws -> (id: Int, token: String) {
    let id = accounts.next()
    let token = UUID().uuidString.lowercased()
    try database.query(
      "INSERT INTO account VALUES ($1, $2)", .int(id), .typed(token, TypeID.uuid))
    if let consents {
      try database.query(
        "INSERT INTO consent VALUES ($1, $2)", .int(id), .bool(consents))
    }
    return (id, token)
  }

  /// Usage of this month that costs so much.
  func use(_ account: Int, dollars: String, at: Instant = .now() - .seconds(86_400)) throws {
    try database.query(
      "INSERT INTO generation VALUES ($1, $2::timestamptz, $3::numeric)", .int(account),
      .text(at.iso8601), .text(dollars))
  }

  func enqueue(_ payload: String) throws -> Int {
    try Int(database.value("SELECT consumptiond.enqueue($1)", .text(payload)).orThrow("id"))
      .orThrow("id")
  }

  /// A month that began twelve days ago.
  func subscription(
    token: String?, id: String? = nil, originalId: String? = nil
  ) -> TransactionDraft {
    let start = Instant.now() - .seconds(12 * 86_400)
    return .subscription(
      id: id ?? Self.transactionId(), originalId: originalId, token: token, purchased: start,
      expires: start + .seconds(30 * 86_400))
  }

  static func transactionId() -> String { String(transactions.next()) }
}
