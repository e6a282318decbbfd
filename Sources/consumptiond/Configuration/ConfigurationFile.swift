import AppStore
import FoundationEssentials

/// Finds the file and reads its text.
enum ConfigurationFile {
  /// Where a file is looked for when the command names none.
  static let searched = ["consumptiond.json", "/etc/consumptiond/consumptiond.json"]

  /// Reads and checks a configuration.
  ///
  /// - Parameters:
  ///   - option: what `--config` says.
  ///   - environment: the process's.
  static func load(
    _ option: String?, environment: [String: String], searching searched: [String] = searched
  ) throws(ConfigurationError) -> Configuration {
    try reader(option, environment, searched).configuration()
  }

  /// Reads where the database is and nothing else: no key, no certificate.
  static func loadDatabase(
    _ option: String?, environment: [String: String], searching searched: [String] = searched
  ) throws(ConfigurationError) -> DatabaseAccess {
    let reader = try reader(option, environment, searched)
    return DatabaseAccess(
      file: reader.root.place.file, connections: try reader.databaseConnections(),
      environment: environment)
  }

  /// Reads what a payload is verified against.
  ///
  /// - Returns: nil when no file was named and none is where they are looked for.
  static func loadVerification(
    _ option: String?, environment: [String: String], searching searched: [String] = searched
  ) throws(ConfigurationError) -> VerificationPolicy? {
    if option == nil, found(in: searched) == nil { return nil }
    return try reader(option, environment, searched).verification()
  }

  /// The bundle ids of the apps, and nothing else.
  static func loadApps(
    _ option: String?, environment: [String: String], searching searched: [String] = searched
  ) throws(ConfigurationError) -> [String] {
    try reader(option, environment, searched).identities().map(\.bundleId)
  }

  /// The name of the installation, which must be there.
  static func loadInstance(
    _ option: String?, environment: [String: String], searching searched: [String] = searched
  ) throws(ConfigurationError) -> String {
    try reader(option, environment, searched).requiredInstance()
  }

  private static func reader(
    _ option: String?, _ environment: [String: String], _ searched: [String]
  ) throws(ConfigurationError) -> ConfigurationReader {
    guard let file = option ?? found(in: searched) else {
      throw ConfigurationError(
        file: searched[0], path: "",
        problem: "no such file, nor " + searched.dropFirst().joined(separator: ", "))
    }
    let place = ConfigurationPlace(file: file, environment: environment)
    let root = ConfigurationNode(value: try value(place), path: "", place: place)
    return ConfigurationReader(root: root)
  }

  private static func found(in searched: [String]) -> String? {
    searched.first(where: FileManager.default.fileExists(atPath:))
  }

  private static func value(_ place: ConfigurationPlace) throws(ConfigurationError) -> JSONValue {
    let bytes = try place.bytes(ofFile: place.file, at: "", shown: place.file)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw place.error("", "found bytes that are not UTF-8, expected text")
    }
    do throws(JSON5Locator.Finding) {
      try JSON5Locator.check(text)
    } catch {
      throw place.error(error.path, error.problem)
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw place.error("", "found text that is not JSON5, expected an object")
    }
  }
}
