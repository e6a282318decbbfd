import AppStore
import Daemon
import Decision

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What can be said of a configuration that was read, without a database.
enum CheckConfiguration {
  static func findings(_ configuration: Configuration) -> [Finding] {
    let apps = configuration.apps.map { app in
      let environments = app.environments.map(\.rawValue).sorted().joined(separator: ", ")
      return "\(app.bundleId) (\(environments))"
    }
    var findings: [Finding] = [
      .fine(
        "configuration",
        "\(configuration.file), mode \(configuration.mode.rawValue): \(apps.joined(separator: "; "))"
      )
    ]
    for (index, app) in configuration.apps.enumerated() {
      for (number, key) in app.keys.enumerated() {
        findings += self.key(key, "apps[\(index)].keys[\(number)]")
      }
      if !app.endpoints.isEmpty {
        let urls = app.endpoints.values.map(\.url).sorted().joined(separator: ", ")
        findings.append(
          .doubtful(
            "apps[\(index)].endpoints", "answers go to \(urls) and not to Apple",
            "leave endpoints out, but in tests"))
      }
    }
    findings.append(
      configuration.trustsApple
        ? .fine("roots", "Apple Root CA - G3, pinned")
        : .doubtful(
          "trustedRoots", "payloads are trusted that Apple did not sign",
          "leave trustedRoots out, but in tests"))
    if configuration.usage?.sources.isEmpty ?? true {
      findings.append(
        .doubtful("usage", "no source: cost is unknown to every rule", "usage.sources"))
    }
    return findings
  }

  /// The name of the file that App Store Connect hands out holds the key's id and what it is for.
  static func key(_ key: Configuration.Key, _ subject: String) -> [Finding] {
    var findings: [Finding] = []
    let name = key.file.split(separator: "/").last.map(String.init) ?? key.file
    if name.hasPrefix("AuthKey_") {
      findings.append(
        .doubtful(
          subject,
          "\(name) is named like an App Store Connect API key, which Apple answers with 401",
          "make an In-App Purchase key: Users and Access, Integrations, In-App Purchase"))
    } else if name.hasPrefix("SubscriptionKey_"), name.hasSuffix(".p8"),
      name != "SubscriptionKey_\(key.api.keyId).p8"
    {
      findings.append(
        .doubtful(
          subject, "\(name) is named for another key than \(key.api.keyId)",
          "keyId and file must be of one key"))
    }
    var status = stat()
    if stat(key.file, &status) == 0, status.st_mode & 0o077 != 0 {
      let mode = String(status.st_mode & 0o777, radix: 8)
      findings.append(
        .doubtful(
          subject, "others than its owner may use \(key.file) (mode \(mode))",
          "chmod 600 \(key.file)"))
    }
    return findings.isEmpty
      ? [.fine(subject, "\(key.api.keyId), a P-256 key, \(key.file)")] : findings
  }
}
