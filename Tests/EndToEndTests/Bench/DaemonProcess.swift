import Foundation
import Simulation
import TestSupport

/// A process of `consumptiond` whose standard error goes to a file.
final class DaemonProcess: Sendable {
  /// How a process ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  let pid: pid_t
  let logFile: String
  private let end = Locked<End?>(nil)

  /// - Parameter wrapper: a command in front of the program, `["taskset", "-c", "0"]`.
  init(
    _ arguments: [String], logFile: String, environment: [String: String] = [:],
    wrapper: [String] = []
  ) throws {
    self.logFile = logFile
    let words = wrapper + [Program.path] + arguments
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, logFile, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      if let descriptor = Int32(name), descriptor > 2 {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    }
    // Ignored signals are inherited: the program must shield itself from SIGPIPE.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
      .merging(environment) { $1 }
    let argv = words.map { (word: String) in strdup(word) } + [nil]
    let envp = variables.map { (key: String, value: String) in strdup("\(key)=\(value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    let failure = posix_spawnp(&pid, words[0], &actions, &attributes, argv, envp)
    guard failure == 0 else {
      throw TestSupportError("\(words[0]) does not start: errno \(failure)")
    }
    self.pid = pid
    try Program.note(pid)
  }

  func send(_ signal: Int32) { if hasEnded == nil { kill(pid, signal) } }

  /// How it ended; nil while it runs.
  var hasEnded: End? {
    end.withLock { end in
      guard end == nil else { return end }
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
      end = status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
      return end
    }
  }

  func waitForEnd(within limit: Duration = .seconds(20)) async throws -> End {
    try await until("the end of the daemon", within: limit) { self.hasEnded != nil }
    return try hasEnded.orThrow("the daemon's end")
  }

  /// SIGKILL, and gone.
  func killHard() async throws {
    send(SIGKILL)
    _ = try await waitForEnd()
  }

  /// SIGTERM, and gone in order.
  func stop(within limit: Duration = .seconds(20)) async throws -> End {
    send(SIGTERM)
    return try await waitForEnd(within: limit)
  }

  /// Stops it for good at the end of a test, however the test ended.
  func dispose() {
    guard hasEnded == nil else { return }
    kill(pid, SIGKILL)
    end.withLock { end in
      guard end == nil else { return }
      var status: Int32 = 0
      waitpid(pid, &status, 0)
      end = .signal(SIGKILL)
    }
  }

  /// What it has used of the processors.
  func processorTime() throws -> Duration {
    // proc(5): after the name in parentheses, utime and stime are the 12th and 13th, in ticks.
    let fields = contents(of: "/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ")
    guard let fields, fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12])
    else { throw TestSupportError("no /proc/\(pid)/stat") }
    return .milliseconds((user + system) * 1000 / sysconf(Int32(_SC_CLK_TCK)))
  }

  var log: String { contents(of: logFile) }

  /// The lines of the log whose event has this name, or all.
  func events(_ name: String? = nil) -> [JSONObject] {
    log.split(separator: "\n").compactMap { JSONValue(text: String($0))?.object }
      .filter { name == nil || $0["event"]?.string == name }
  }

  func waitForEvent(_ name: String, times: Int = 1, within limit: Duration = .seconds(30))
    async throws
  {
    try await until("\(times)× \(name) in the log", within: limit) {
      self.events(name).count >= times
    }
  }
}
