import AppStore
public import Crypto
import FoundationEssentials
import Glibc

/// Where the program keeps what `sign` and a running simulator share: the chain, the app's key and
/// the transactions that were signed. Readable by its owner alone, since who has the leaf's key can
/// forge for whoever trusts this root.
public struct SimulatorFolder: Sendable {
  public let path: String
  /// Made for this run, to be removed at its end.
  public let isTemporary: Bool

  public var rootFile: String { path + "/root.pem" }
  public var tlsRootFile: String { path + "/tls-root.pem" }
  public func keyFile(keyId: String) -> String { path + "/SubscriptionKey_\(keyId).p8" }
  private var transactionsFile: String { path + "/transactions.jsonl" }

  /// - Parameter path: nil makes a temporary one; another is made when it is missing, and refused
  ///   when it is not private.
  public init(_ path: String?) throws(SimulationError) {
    guard let path else {
      let base = FileManager.default.temporaryDirectory.path
      var template = Array("\(base)/AppStoreSimulator-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw SimulationError("no temporary folder in \(base): \(errorText())")
      }
      self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      isTemporary = true
      return
    }
    if mkdir(path, 0o700) != 0 {
      let reason = errorText()
      var info = stat()
      guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
        throw SimulationError("cannot make the folder \(path): \(reason)")
      }
      guard info.st_mode & 0o077 == 0 else {
        throw SimulationError("the folder \(path) is open to others; chmod 700 it")
      }
    }
    // Absolute: it is printed for configuration files, which lie elsewhere.
    guard let real = realpath(path, nil) else {
      throw SimulationError("cannot open the folder \(path): \(errorText())")
    }
    defer { free(real) }
    self.path = String(cString: real)
    isTemporary = false
  }

  /// The chain in this folder; made when there is none. The keys of its authorities are forgotten
  /// at once: only the leaf signs.
  public func chain() throws(SimulationError) -> SigningChain {
    try locked { () throws(SimulationError) in
      let names = ["root.pem", "intermediate.pem", "leaf.pem"]
      if !exists(path + "/leaf-key.pem") {
        let chain = try SigningChain()
        for (name, certificate) in zip(names, [chain.root, chain.intermediate, chain.leaf]) {
          try write(certificate.pem, to: path + "/" + name)
        }
        try write(chain.leafKey.pem, to: path + "/leaf-key.pem")
        return chain
      }
      var certificates: [Certificate] = []
      for name in names { certificates.append(try Certificate(pem: read(path + "/" + name))) }
      return try SigningChain(
        root: certificates[0], intermediate: certificates[1], leaf: certificates[2],
        leafKey: PrivateKey(pem: read(path + "/leaf-key.pem")))
    }
  }

  /// The app's In-App Purchase key in this folder; made when there is none.
  public func key(keyId: String) throws(SimulationError) -> SigningKey {
    guard keyId.wholeMatch(of: #/[A-Za-z0-9]+/#) != nil else {
      throw SimulationError("a key id has letters and digits only: \(keyId)")
    }
    return try locked { () throws(SimulationError) in
      let file = keyFile(keyId: keyId)
      if !exists(file) { try write(PrivateKey(.p256).pem, to: file) }
      let pem = try read(file)
      do throws(CryptoError) {
        return try SigningKey(pem: pem)
      } catch {
        throw SimulationError("\(file): \(error.message)")
      }
    }
  }

  /// A TLS server for 127.0.0.1 and localhost; the root that clients need goes into `tlsRootFile`.
  public func makeTLSServer() throws(SimulationError) -> TLSServer {
    let rootKey = try PrivateKey(.p256)
    let root = try Certificate(
      CertificateProfile("Simulated TLS root - NOT APPLE", isAuthority: true), key: rootKey)
    var profile = CertificateProfile("127.0.0.1")
    profile.alternativeNames = "IP:127.0.0.1,DNS:localhost"
    let key = try PrivateKey(.p256)
    let certificate = try Certificate(
      profile, key: key, issuer: Issuer(certificate: root, key: rootKey))
    try write(root.pem, to: tlsRootFile)
    return try TLSServer(certificate: certificate, key: key)
  }

  /// Makes a transaction known to the simulators of this folder.
  public func record(_ transaction: IssuedTransaction) throws(SimulationError) {
    let line = Array((transaction.payload.text + "\n").utf8)
    let file = open(transactionsFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SimulationError("\(transactionsFile): \(errorText())") }
    defer { close(file) }
    guard Glibc.write(file, line, line.count) == line.count else {
      throw SimulationError("\(transactionsFile): \(errorText())")
    }
  }

  /// What is recorded, now and later.
  public func recordedTransactions() -> RecordedTransactions {
    RecordedTransactions(file: transactionsFile)
  }

  /// Removes a temporary folder with all that is in it.
  public func removeIfTemporary() {
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }

  private func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

  private func read(_ file: String) throws(SimulationError) -> String {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw SimulationError("cannot read \(file)")
    }
    return text
  }

  private func write(_ text: String, to path: String) throws(SimulationError) {
    let bytes = Array(text.utf8)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SimulationError("\(path): \(errorText())") }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw SimulationError("\(path): \(errorText())")
    }
  }

  /// One process at a time, so that two starting at once do not make two chains.
  private func locked<Result>(_ body: () throws(SimulationError) -> Result)
    throws(SimulationError) -> Result
  {
    let file = open(path + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SimulationError("\(path): \(errorText())") }
    defer { close(file) }
    flock(file, LOCK_EX)
    return try body()
  }
}
