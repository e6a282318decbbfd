import Foundation
import TestSupport

/// The built `consumptiond`, beside the tests'.
enum Program {
  static let path: String = {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: "consumptiond").path
  }()

  /// Where the pids of all daemons are written, so that none outlives the tests.
  private static let ledger: Result<String, any Error> = Result {
    let folder = try temporaryFolder(prefix: "consumptiond-daemons-")
    try atEndOfProcess(
      """
      for pid in $(cat \(folder)/pids); do
        [ "$(readlink /proc/$pid/exe)" = "\(path)" ] && kill -9 $pid
      done
      rm -rf \(folder)
      """)
    return folder + "/pids"
  }

  static func note(_ pid: pid_t) throws {
    let file = try ledger.get()
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestSupportError("\(file): errno \(errno)") }
    defer { close(descriptor) }
    let line = Array("\(pid)\n".utf8)
    _ = write(descriptor, line, line.count)
  }
}
