import AppStore
import Crypto

extension ConfigurationReader {
  func apps(
    _ node: ConfigurationNode, trustsOtherRoots: Bool
  ) throws(ConfigurationError) -> [Configuration.App] {
    var apps: [Configuration.App] = []
    for member in try node.list(of: "apps") {
      let app = try app(member, trustsOtherRoots: trustsOtherRoots)
      guard !apps.contains(where: { $0.bundleId == app.bundleId }) else {
        throw member.place.error(
          "\(member.path).bundleId", "found \"\(app.bundleId)\" a second time, expected once")
      }
      apps.append(app)
    }
    return apps
  }

  private func app(
    _ node: ConfigurationNode, trustsOtherRoots: Bool
  ) throws(ConfigurationError) -> Configuration.App {
    let object = try appObject(node)
    let identity = try identity(object)
    let endpoints = object.optional("endpoints")
    if let endpoints, !trustsOtherRoots {
      throw endpoints.error("found without trustedRoots, expected only together with it")
    }
    return Configuration.App(
      bundleId: identity.bundleId, appAppleId: identity.appAppleId,
      environments: identity.environments,
      keys: try keys(object.required("keys", "a list of keys")),
      endpoints: try endpoints.map(self.endpoints) ?? [:])
  }

  /// The apps as a payload names them, without what is needed to answer for them.
  func identities(_ node: ConfigurationNode) throws(ConfigurationError) -> [AppIdentity] {
    var identities: [AppIdentity] = []
    for member in try node.list(of: "apps") {
      identities.append(try identity(appObject(member)))
    }
    return identities
  }

  private func appObject(
    _ node: ConfigurationNode
  ) throws(ConfigurationError) -> ConfigurationObject {
    try node.object(
      ["bundleId", "appAppleId", "environments", "keys", "endpoints"], notBuiltYet: Self.blocks)
  }

  private func identity(_ object: ConfigurationObject) throws(ConfigurationError) -> AppIdentity {
    let environments = try environments(
      object.required("environments", "a list of \"Production\", \"Sandbox\""))
    let appAppleId = try object.optional("appAppleId")?.integer(in: 1...Int64.max)
    // In the sandbox Apple sends no id, so without this check a configuration works until the day
    // of the first real request.
    if environments.contains(.production), appAppleId == nil {
      _ = try object.required("appAppleId", "the app's Apple id, since Production is served")
    }
    return AppIdentity(
      bundleId: try object.required("bundleId", "a bundle id").identifier(
        "letters, digits, '.' and '-'", extra: ".-"),
      appAppleId: appAppleId, environments: environments)
  }

  func environments(
    _ node: ConfigurationNode
  ) throws(ConfigurationError) -> Set<AppStore.Environment> {
    var environments: Set<AppStore.Environment> = []
    for member in try node.list(of: "\"Production\", \"Sandbox\"") {
      guard environments.insert(try member.word()).inserted else {
        throw member.error("found \(member.value.shown) a second time, expected once")
      }
    }
    return environments
  }

  private func keys(_ node: ConfigurationNode) throws(ConfigurationError) -> [Configuration.Key] {
    var keys: [Configuration.Key] = []
    for member in try node.list(of: "keys") {
      let key = try key(member)
      guard !keys.contains(where: { $0.api.keyId == key.api.keyId }) else {
        throw member.place.error(
          "\(member.path).keyId", "found \"\(key.api.keyId)\" a second time, expected once")
      }
      keys.append(key)
    }
    return keys
  }

  private func key(_ node: ConfigurationNode) throws(ConfigurationError) -> Configuration.Key {
    let object = try node.object(["keyId", "issuerId", "file"])
    let keyId = try object.required("keyId", "the key's id").identifier("letters and digits")
    let issuerNode = try object.required("issuerId", "the issuer's id")
    let issuer = try issuerNode.text("a UUID")
    guard isUUID(issuer.value) else {
      throw issuerNode.error(found: issuer.shown, expected: "a UUID")
    }
    let fileNode = try object.required("file", "the path of a .p8 file")
    let (bytes, written) = try fileNode.contents()
    let key = try fileNode.crypto(written) { () throws(CryptoError) in
      try SigningKey(pem: String(decoding: bytes, as: UTF8.self))
    }
    return Configuration.Key(
      api: APIKey(keyId: keyId, issuerId: issuer.value, key: key),
      file: try fileNode.place.resolve(written, at: fileNode.path))
  }

  private func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }

  private func endpoints(
    _ node: ConfigurationNode
  ) throws(ConfigurationError) -> [AppStore.Environment: Configuration.Endpoint] {
    let object = try node.object(AppStore.Environment.allCases.map(\.rawValue))
    var endpoints: [AppStore.Environment: Configuration.Endpoint] = [:]
    for environment in AppStore.Environment.allCases {
      guard let member = object.optional(environment.rawValue) else { continue }
      endpoints[environment] = try endpoint(member)
    }
    return endpoints
  }

  private func endpoint(
    _ node: ConfigurationNode
  ) throws(ConfigurationError) -> Configuration.Endpoint {
    guard case .object(let members) = node.value, members["env"] == nil, members["file"] == nil
    else { return Configuration.Endpoint(url: try url(node), rootsFile: nil) }
    let object = try node.object(["url", "roots"])
    let roots = try object.optional("roots").map { node throws(ConfigurationError) in
      let (bytes, written) = try node.contents()
      guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
        throw node.error("not a PEM file of certificates: \(written)")
      }
      return try node.place.resolve(written, at: node.path)
    }
    return Configuration.Endpoint(
      url: try url(object.required("url", "an http or https URL")), rootsFile: roots)
  }

  private func url(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
    let text = try node.text("an http or https URL")
    guard let url = EndpointURL(text.value) else {
      throw node.error(found: text.shown, expected: "http:// or https://, a host and a port")
    }
    guard url.isEncrypted || url.isLoopback else {
      throw node.error(found: text.shown, expected: "https, or a loopback address")
    }
    return url.text
  }
}
