import AppStore
import Daemon
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The log on standard error: lines for people on a terminal, JSON for machines elsewhere.
enum LogOutput {
  static let standardError: Log = {
    let isTerminal = isatty(STDERR_FILENO) == 1
    return Log { event in write(isTerminal ? line(event) : json(event)) }
  }()

  /// An event of the command itself.
  static func say(_ log: Log, _ name: String, _ message: String, _ level: Log.Level = .info) {
    log(level, name, message)
  }

  /// `20:04:41 warning  waiting  request 12, transaction 700…: retry: HTTP 503`
  static func line(_ event: Log.Event) -> String {
    let time = event.at.iso8601.dropFirst(11).prefix(8)
    let subject = [
      event.request.map { "request \($0)" }, event.transaction.map { "transaction \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
    return "\(time) \(event.level.rawValue) \(event.name)"
      + (subject.isEmpty ? "" : " \(subject)") + ": \(event.message)\n"
  }

  private struct Line: Encodable {
    let at: String
    let level: String
    let event: String
    let request: Int64?
    let transaction: String?
    let message: String
  }

  static func json(_ event: Log.Event) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = Line(
      at: event.at.iso8601, level: event.level.rawValue, event: event.name,
      request: event.request, transaction: event.transaction, message: event.message)
    guard let data = try? encoder.encode(line) else { return "" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// One write a line, so that lines of several threads do not mix.
  private static func write(_ line: String) {
    let bytes = Array(line.utf8)
    _ = bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
