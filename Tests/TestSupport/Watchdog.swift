import Foundation

/// Has a shell run a line once this process is gone, however it goes.
public func atEndOfProcess(_ line: String) throws {
  try Watchdog.start(line)
}

/// A process that outlives the tests and cleans up behind them.
enum Watchdog {
  /// The ends of pipes whose other ends the watchdogs read: they are closed by our death alone,
  /// however it comes.
  private static let lifelines = Locked<[Int32]>([])

  /// Stops a server and removes its folder once this process is gone.
  static func start(removing folder: String, stopping data: String) throws {
    guard let directory = ServerPrograms.directory else { return }
    let stop = ServerPrograms.serverUserCommand(
      ["\(directory)/pg_ctl", "-D", data, "-m", "immediate", "stop"])
    // Programs that were at work in the folder may still be writing.
    try start(
      "\(stop) >/dev/null 2>&1; while rm -rf '\(folder)'; [ -e '\(folder)' ]; do sleep 1; done")
  }

  /// Runs a line in a shell once this process is gone.
  static func start(_ line: String) throws {
    var ends: [Int32] = [0, 0]
    // Closed on exec: no child of a test may hold the writing end open.
    guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw TestSupportError("no pipe: errno \(errno)")
    }
    defer { close(ends[0]) }
    // In a session of its own: an interrupt at the terminal is for the tests, not for it.
    let escaped = line.replacing("'", with: "'\\''")
    _ = try spawnShell(
      "exec setsid /bin/sh -c 'trap \"\" INT TERM HUP; cd /; cat >/dev/null; \(escaped)'",
      input: ends[0])
    lifelines.withLock { $0.append(ends[1]) }
  }
}
