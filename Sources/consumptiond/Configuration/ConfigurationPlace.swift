import FoundationEssentials

/// Where a configuration stands: what its relative paths and references mean.
struct ConfigurationPlace: Sendable {
  /// As the user named it.
  let file: String
  /// The process's environment.
  let environment: [String: String]

  func error(_ path: String, _ problem: String) -> ConfigurationError {
    ConfigurationError(file: file, path: path, problem: problem)
  }

  /// The bytes of a file that the configuration names.
  ///
  /// - Parameters:
  ///   - written: the file's path as the configuration writes it.
  ///   - path: the key that names it.
  func contents(of written: String, at path: String) throws(ConfigurationError) -> [UInt8] {
    try bytes(ofFile: try resolve(written, at: path), at: path, shown: written)
  }

  /// The bytes of a file, or why there are none.
  func bytes(
    ofFile name: String, at path: String, shown: String
  ) throws(ConfigurationError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: name)))
    } catch {
      let problem =
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
        case .fileReadNoPermission: "no permission to read"
        default: "cannot be read"
        }
      throw self.error(path, shown == file ? problem : "\(problem): \(shown)")
    }
  }

  /// A path of the configuration: relative to the file, with `${CREDENTIALS_DIRECTORY}` (systemd's
  /// folder of a unit's credentials) replaced.
  func resolve(_ written: String, at path: String) throws(ConfigurationError) -> String {
    var result = ""
    var rest = written[...]
    while let start = rest.firstRange(of: "${") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else { break }
      let name = String(rest[start.upperBound..<end])
      guard name == "CREDENTIALS_DIRECTORY" else {
        throw error(path, "found ${\(name)}, expected no variable but ${CREDENTIALS_DIRECTORY}")
      }
      result += rest[..<start.lowerBound]
      result += try variable(name, at: path)
      rest = rest[rest.index(after: end)...]
    }
    result += rest
    guard !result.hasPrefix("/") else { return result }
    guard let slash = file.lastIndex(of: "/") else { return result }
    return file[...slash] + result
  }

  func variable(_ name: String, at path: String) throws(ConfigurationError) -> String {
    guard let value = environment[name] else {
      throw error(path, "no such environment variable: \(name)")
    }
    return value
  }
}
