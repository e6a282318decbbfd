import Store

/// What this program is.
enum Version {
  static let number = "0.1.0"

  /// The schema's version tells which databases it can work with.
  static var line: String { "consumptiond \(number) (schema \(Migrator.currentVersion))" }
}
