import Foundation

/// What the surroundings of a test could not do.
public struct TestSupportError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// Runs a line in `/bin/sh` and returns what it printed, without the last line end.
@discardableResult
public func shell(_ line: String) throws -> String {
  // A file without a name: a daemon started by the line would keep a pipe open, and a crash of ours
  // leaves nothing behind.
  var template = Array("\(FileManager.default.temporaryDirectory.path)/shell-XXXXXX".utf8CString)
  let output = mkstemp(&template)
  guard output >= 0 else { throw TestSupportError("no temporary file: errno \(errno)") }
  defer { close(output) }
  unlink(template)
  let pid = try spawnShell("cd /; \(line)", output: output)
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 {
    guard errno == EINTR else { throw TestSupportError("\(line): lost: errno \(errno)") }
  }
  lseek(output, 0, SEEK_SET)
  let bytes = try FileHandle(fileDescriptor: output, closeOnDealloc: false).readToEnd() ?? Data()
  let text = String(decoding: bytes, as: UTF8.self)
  guard status == 0 else { throw TestSupportError("\(line): status \(status): \(text)") }
  return text.trimmingCharacters(in: .newlines)
}

/// Starts `/bin/sh` with a line and nothing open but `/dev/null`, or `input` and `output`.
///
/// Foundation's `Process` waits for a descriptor that every daemon started below inherits, so it
/// would wait for the server itself.
func spawnShell(_ line: String, input: Int32? = nil, output: Int32? = nil) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (target, source) in [(0, input), (1, output), (2, output)] as [(Int32, Int32?)] {
    if let source {
      posix_spawn_file_actions_adddup2(&actions, source, target)
    } else {
      posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
    }
  }
  // A daemon that kept descriptors of the tests would keep those waiting who wait for their end.
  for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
    if let descriptor = Int32(name), descriptor > 2 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  }
  let arguments = ["/bin/sh", "-c", line].map { (text: String) in strdup(text) }
  defer { for argument in arguments { free(argument) } }
  var pid: pid_t = 0
  let failure = posix_spawn(&pid, "/bin/sh", &actions, nil, arguments + [nil], environ)
  guard failure == 0 else { throw TestSupportError("cannot start a shell: errno \(failure)") }
  return pid
}
