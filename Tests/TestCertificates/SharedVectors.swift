public import FoundationEssentials

/// Test data that is not part of the repository: `../shared/vectors`, seen from the package's root.
public enum SharedVectors {
  /// Nil when there is none; then the tests that need it are skipped, and say so.
  public static let directory: String? = {
    let package = #filePath.split(separator: "/").dropLast(3)
    let directory = "/" + package.dropLast().joined(separator: "/") + "/shared/vectors"
    return FileManager.default.fileExists(atPath: directory) ? directory : nil
  }()

  public static let isMissing = directory == nil

  public static func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: (directory ?? "") + "/" + path))
  }

  public static func text(_ path: String) throws -> String {
    String(decoding: try data(path), as: UTF8.self)
  }
}
