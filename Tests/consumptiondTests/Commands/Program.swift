import Foundation
import TestSupport

/// The built program, beside the tests'.
enum Program {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  private static var url: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "consumptiond")
  }

  /// Runs it to its end in `folder`, with none of the tests' own settings for databases.
  static func run(
    _ arguments: [String], in folder: String, input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let files = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: files) }
    for name in ["in", "out", "err"] {
      try (name == "in" ? input : "").write(
        toFile: "\(files)/\(name)", atomically: false, encoding: .utf8)
    }
    let process = try process(arguments, folder, environment)
    process.standardInput = FileHandle(forReadingAtPath: "\(files)/in")
    process.standardOutput = FileHandle(forWritingAtPath: "\(files)/out")
    process.standardError = FileHandle(forWritingAtPath: "\(files)/err")
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: contents(of: "\(files)/out"),
      errors: contents(of: "\(files)/err"))
  }

  /// Runs it on a terminal of 80 columns.
  /// - Returns: what the terminal was sent.
  static func runOnTerminal(
    _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws -> Outcome {
    var (master, slave): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 50, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else {
      throw TestSupportError("no pseudo terminal: errno \(errno)")
    }
    defer { close(master) }
    let process = try process(arguments, folder, environment)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    close(slave)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // The last reader gone, a read fails with EIO.
    while case let count = read(master, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return Outcome(status: process.terminationStatus, output: text, errors: "")
  }

  private static func process(
    _ arguments: [String], _ folder: String, _ environment: [String: String]
  ) throws -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("PG") && !name.hasPrefix("CONSUMPTIOND") && name != "NO_COLOR"
    }
    process.environment = inherited.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
    return process
  }
}
