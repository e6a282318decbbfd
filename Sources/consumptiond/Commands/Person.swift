import FoundationEssentials

/// Who types: kept beside what a person decided.
enum Person {
  /// Behind `sudo` the person is meant and not root.
  static func name(_ environment: [String: String]) -> String {
    let named = ["SUDO_USER", "USER", "LOGNAME"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    return Printable.text(named ?? ProcessInfo.processInfo.userName)
  }

  static var name: String { name(ProcessInfo.processInfo.environment) }
}
