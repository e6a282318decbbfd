import Foundation

/// PostgreSQL's own programs, run as the user who may run a server.
enum ServerPrograms {
  static let isRoot = geteuid() == 0

  /// Where `initdb` and `pg_ctl` are: `CONSUMPTIOND_TEST_PGBIN`, else what `pg_config` says, else
  /// the newest version of Debian's.
  static let directory: String? = {
    var candidates: [String] = []
    if let chosen = ProcessInfo.processInfo.environment["CONSUMPTIOND_TEST_PGBIN"] {
      candidates = [chosen]
    } else {
      if let told = try? shell("pg_config --bindir") { candidates.append(told) }
      let debian = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
      candidates += versions.compactMap { Int($0) }.sorted(by: >).map { "\(debian)/\($0)/bin" }
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    guard let directory else {
      throw TestSupportError(
        "no PostgreSQL server programs; install postgresql or set CONSUMPTIOND_TEST_PGBIN")
    }
    return try asServerUser(["\(directory)/\(program)"] + arguments)
  }

  /// Runs a command as root's stand-in `postgres`, or as who we are.
  @discardableResult
  static func asServerUser(_ command: [String]) throws -> String {
    try shell(serverUserCommand(command))
  }

  /// The same as a line for a shell.
  static func serverUserCommand(_ command: [String]) -> String {
    let quoted = command.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    return (isRoot ? "runuser -u postgres -- " : "") + quoted.joined(separator: " ")
  }
}
