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
    let file = if let option { option } else { try found(in: searched) }
    let place = ConfigurationPlace(file: file, environment: environment)
    let root = ConfigurationNode(value: try value(place), path: "", place: place)
    return try ConfigurationReader(root: root).configuration()
  }

  private static func found(in searched: [String]) throws(ConfigurationError) -> String {
    if let file = searched.first(where: FileManager.default.fileExists(atPath:)) { return file }
    throw ConfigurationError(
      file: searched[0], path: "",
      problem: "no such file, nor " + searched.dropFirst().joined(separator: ", "))
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
