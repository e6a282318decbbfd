import AppStore
import Crypto
import Decision
import PostgreSQL

/// Turns the file's values into a configuration, key by key; the other parts are in extensions.
struct ConfigurationReader {
  let root: ConfigurationNode

  /// Blocks that the design lets an app repeat.
  static let blocks = [
    "customer", "consent", "usage", "rates", "facts", "response", "deadline", "worker", "history",
    "alerts", "heartbeat", "metricsFile", "retention",
  ]

  /// The keys of the file, of which none is unknown.
  private func topLevel() throws(ConfigurationError) -> ConfigurationObject {
    try root.object(
      [
        "mode", "instance", "database", "listen", "allowInsecureDatabase", "searchPath", "apps",
        "trustedRoots", "customer", "consent", "usage", "response", "deadline", "worker",
        "history", "retention",
      ],
      notBuiltYet: [
        "usageDatabase", "rates", "facts", "events", "outcomeAfter", "alerts",
        "heartbeat", "metricsFile",
      ])
  }

  /// What a command needs that works on the queue alone: whoever looks at a request must not need
  /// the right to read the private key.
  func databaseConnections() throws(ConfigurationError) -> Configuration.DatabaseConnections {
    try connections(topLevel())
  }

  /// What a signed payload is verified against. No key is read.
  func verification() throws(ConfigurationError) -> VerificationPolicy {
    let object = try topLevel()
    let roots = object.optional("trustedRoots")
    return VerificationPolicy(
      file: root.place.file,
      apps: try identities(object.required("apps", "a list of apps")),
      anchors: try anchors(roots))
  }

  /// Whose payloads count. No file that the configuration names is read.
  func identities() throws(ConfigurationError) -> [AppIdentity] {
    try identities(topLevel().required("apps", "a list of apps"))
  }

  func requiredInstance() throws(ConfigurationError) -> String {
    try instance(topLevel().required("instance", Self.instanceName))
  }

  private static let instanceName = "a name of letters, digits, '.', '_' and '-'"

  private func instance(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
    try node.identifier(Self.instanceName, extra: "._-")
  }

  func configuration() throws(ConfigurationError) -> Configuration {
    let object = try topLevel()
    try checkHistory(object.optional("history"))
    let roots = object.optional("trustedRoots")
    let usage = try usage(object.optional("usage"))
    return Configuration(
      file: root.place.file,
      mode: try object.required("mode", "\"observe\" or \"answer\"").word(),
      instance: try object.optional("instance").map(instance),
      connections: try connections(object),
      apps: try apps(
        object.required("apps", "a list of apps"), trustsOtherRoots: roots != nil),
      anchors: try anchors(roots), trustsApple: roots == nil,
      customer: try customer(object.required("customer", "{ query: … } or a list of them")),
      consent: try consent(object),
      usage: usage,
      response: try response(
        object.required("response", "an object with sampleContentProvided, deliveryStatus"),
        sources: usage?.sources.map(\.name) ?? []),
      deadline: try deadline(object.optional("deadline")),
      worker: try worker(object.optional("worker")),
      retention: try retention(object.optional("retention")))
  }

  private func checkHistory(_ node: ConfigurationNode?) throws(ConfigurationError) {
    guard let node else { return }
    switch node.value {
    case .string("off"): return
    case .object: throw node.notBuiltYet("anything but \"off\"")
    default: throw node.error(expected: "\"off\"")
    }
  }

  private func connections(
    _ object: ConfigurationObject
  ) throws(ConfigurationError) -> Configuration.DatabaseConnections {
    Configuration.DatabaseConnections(
      database: try database(object.optional("database")),
      listen: try listen(object.optional("listen")),
      allowInsecureDatabase: try object.optional("allowInsecureDatabase")?.bool() ?? false,
      searchPath: try object.optional("searchPath")?.text("names of schemas").value
        ?? "pg_catalog, public")
  }

  /// The environment's `CONSUMPTIOND_DATABASE` goes before the file's.
  private func database(_ node: ConfigurationNode?) throws(ConfigurationError) -> Secret? {
    let variable = "CONSUMPTIOND_DATABASE"
    if let text = root.place.environment[variable], !text.isEmpty {
      let path = "database (from \(variable))"
      return try ConfigurationNode(value: .string(text), path: path, place: root.place).conninfo()
    }
    return try node?.conninfo()
  }

  private func listen(
    _ node: ConfigurationNode?
  ) throws(ConfigurationError) -> Configuration.Listen {
    guard let node else { return .database }
    return node.value == .string("off") ? .off : .direct(try node.conninfo())
  }

  private func anchors(_ node: ConfigurationNode?) throws(ConfigurationError) -> TrustAnchors {
    guard let node else { return .appleRootCAG3 }
    var files: [[UInt8]] = []
    for member in try node.list(of: "certificate files") {
      let (bytes, written) = try member.contents()
      // Each for itself first, so that an error names its file.
      _ = try member.crypto(written) { () throws(CryptoError) in
        try TrustAnchors(certificates: [bytes])
      }
      files.append(bytes)
    }
    return try node.crypto("") { () throws(CryptoError) in try TrustAnchors(certificates: files) }
  }

  private func customer(_ node: ConfigurationNode) throws(ConfigurationError) -> [NamedQuery] {
    guard case .list = node.value else { return [try node.queryObject(QueryParameter.ofPurchase)] }
    var queries: [NamedQuery] = []
    for member in try node.list(of: "{ query: … }") {
      queries.append(try member.queryObject(QueryParameter.ofPurchase))
    }
    return queries
  }

  private func consent(_ object: ConfigurationObject) throws(ConfigurationError) -> NamedQuery {
    guard let node = object.optional("consent") else {
      throw object.member("consent", .null).notBuiltYet(
        "the built-in log that is used without { query: … }")
    }
    return try node.queryObject([.customer] + QueryParameter.ofPurchase)
  }
}

extension ConfigurationNode {
  /// Settings of a connection that libpq can read. What they are is shown to nobody: libpq's own
  /// message would repeat a password.
  func conninfo() throws(ConfigurationError) -> Secret {
    let expected = "a libpq conninfo or URI"
    let text = try text(expected)
    do throws(PostgresError) {
      _ = try Conninfo(text.value)
    } catch {
      throw self.error(found: "what libpq cannot read", expected: expected)
    }
    return Secret(text.value)
  }

  /// What a file's contents make; its faults are named with the file.
  func crypto<Value>(
    _ written: String, _ make: () throws(CryptoError) -> Value
  ) throws(ConfigurationError) -> Value {
    do throws(CryptoError) {
      return try make()
    } catch {
      throw self.error(written.isEmpty ? error.message : "\(written): \(error.message)")
    }
  }
}
