import Foundation

/// Makes an empty folder of the test's own; the test removes it.
public func temporaryFolder(prefix: String = "consumptiond-test-") throws -> String {
  let base = FileManager.default.temporaryDirectory.path
  var template = Array("\(base)/\(prefix)XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else {
    throw TestSupportError("no temporary folder in \(base): errno \(errno)")
  }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A file's text; empty when there is none. (Foundation's `String(contentsOfFile:)` leaks on an empty
/// file, which fails a run under the address sanitizer.)
public func contents(of path: String) -> String {
  let bytes = try? FileHandle(forReadingAtPath: path)?.readToEnd()
  return String(decoding: bytes ?? Data(), as: UTF8.self)
}

/// A port on 127.0.0.1 that nobody listens on at this moment.
public func freePort() throws -> Int {
  let listener = try ListeningSocket()
  return listener.port
}

/// Apple's and other people's test vectors, which lie beside the repository.
public enum Vectors {
  /// `shared/vectors` beside the checkout or where `CONSUMPTIOND_VECTORS` says; nil when absent, and
  /// the tests that need it are then skipped.
  public static let directory: String? = {
    if let chosen = ProcessInfo.processInfo.environment["CONSUMPTIOND_VECTORS"] { return chosen }
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let beside = repository.deletingLastPathComponent().appendingPathComponent("shared/vectors")
      .path
    return FileManager.default.fileExists(atPath: beside) ? beside : nil
  }()
}
