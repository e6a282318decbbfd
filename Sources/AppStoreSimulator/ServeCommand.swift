import AppStore
import Crypto
import FoundationEssentials
import Glibc
import Simulation

/// Answers as the App Store until SIGINT or SIGTERM.
struct ServeCommand {
  static let options = [
    "port": true, "tls": false, "folder": true, "public-key": true, "bundle-id": true,
    "key-id": true, "issuer-id": true, "environment": true, "fail": true,
  ]

  private let port: UInt16
  private let usesTLS: Bool
  private let folderPath: String?
  private let publicKeyFile: String?
  private let bundleId: String
  private let keyId: String
  private let issuerId: String
  private let environment: AppStore.Environment?
  private let faults: [FaultText]

  init(_ options: Options) throws(UsageError) {
    port = try options.value("port", "0 to 65535") { UInt16($0) } ?? 0
    usesTLS = options.has("tls")
    folderPath = options["folder"]
    publicKeyFile = options["public-key"]
    bundleId = options["bundle-id"] ?? "com.example.app"
    keyId = options["key-id"] ?? "2X9R4HXF34"
    issuerId = options["issuer-id"] ?? "57246542-96fe-1a63-e053-0824d011072a"
    environment = try options.value("environment", "Production or Sandbox") {
      AppStore.Environment(rawValue: $0)
    }
    var faults: [FaultText] = []
    for text in options.all("fail") {
      do throws(SimulationError) {
        faults.append(try FaultText(text))
      } catch {
        throw UsageError(message: "--fail: \(error.message)")
      }
    }
    self.faults = faults
  }

  func run() throws {
    // Before the first thread, which inherits it: waiting is the main thread's.
    var signals = Self.endSignals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let folder = try SimulatorFolder(folderPath)
    do {
      let store = try start(in: folder)
      for text in faults { store.fail(text.fault, times: text.times) }
      print(introduction(store.url, folder))
      fflush(nil)
      waitForTheEnd()
      store.stop()
      folder.removeIfTemporary()
    } catch {
      folder.removeIfTemporary()
      throw error
    }
  }

  private func start(in folder: SimulatorFolder) throws -> SimulatedAppStore {
    _ = try folder.chain()
    let settings = AppStoreSettings(
      bundleId: bundleId, keyId: keyId, issuerId: issuerId, publicKey: try publicKey(folder),
      environment: environment)
    let recorded = folder.recordedTransactions()
    return try SimulatedAppStore(
      settings, port: port, tls: usesTLS ? try folder.makeTLSServer() : nil,
      findTransactions: { recorded.news() }, onEnd: { complain($0.logLine) })
  }

  private func publicKey(_ folder: SimulatorFolder) throws -> VerifyingKey {
    guard let publicKeyFile else { return try folder.key(keyId: keyId).publicKey }
    guard let pem = try? String(contentsOfFile: publicKeyFile, encoding: .utf8) else {
      throw SimulationError("cannot read \(publicKeyFile)")
    }
    return try VerifyingKey(pem: pem)
  }

  /// Lines that scripts read ("name: value"), then what a person needs.
  private func introduction(_ url: String, _ folder: SimulatorFolder) -> String {
    let ownKey = publicKeyFile == nil ? folder.keyFile(keyId: keyId) : nil
    let endpoint =
      usesTLS ? "{ url: \"\(url)\", roots: \"\(folder.tlsRootFile)\" }" : "\"\(url)\""
    var lines = ["A stand-in for the App Store. NOT APPLE; on loopback only."]
    lines.append("url: \(url)")
    lines.append("folder: \(folder.path)")
    if let ownKey { lines.append("key: \(ownKey)") }
    lines.append("root: \(folder.rootFile)")
    if usesTLS { lines.append("tls-root: \(folder.tlsRootFile)") }
    return lines.joined(separator: "\n") + """


      In consumptiond.json:
        apps: [{
          bundleId: "\(bundleId)", appAppleId: 1234567890, environments: ["Production", "Sandbox"],
          keys: [{ keyId: "\(keyId)", issuerId: "\(issuerId)",
                   file: "\(ownKey ?? "the private half of your public key")" }],
          endpoints: { Production: \(endpoint), Sandbox: \(endpoint) },
        }],
        trustedRoots: ["\(folder.rootFile)"],

      A refund request for consumptiond enqueue:
        AppStoreSimulator sign --folder \(folder.path) --transaction-id 2000001 \\
          --purchased 2026-11-01T00:00:00Z --expires 2026-12-01T00:00:00Z
      """
  }

  /// Blocks the main thread, which has nothing else to do.
  private func waitForTheEnd() {
    var signals = Self.endSignals
    var received: Int32 = 0
    sigwait(&signals, &received)
  }

  private static var endSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }
}
