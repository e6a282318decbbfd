import AppStore
import Daemon
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The log on standard error: aligned lines for people on a terminal, JSON for machines elsewhere.
/// In either every line is one line, whatever the message holds.
enum LogOutput {
  static func standardError(_ environment: [String: String]) -> Log {
    let isTerminal = isatty(STDERR_FILENO) == 1
    let style = Style(isTerminal: isTerminal, environment: environment)
    return Log { event in
      Output.complain(isTerminal ? line(event, style) : json(event))
    }
  }

  /// `20:04:41  warning  waiting    12 (7000…): retry: HTTP 503`, the number in parentheses being
  /// the transaction.
  static func line(_ event: Log.Event, _ style: Style) -> String {
    let time = String(event.at.iso8601.dropFirst(11).prefix(8))
    let request = event.request.map { "\($0)" }
    let subject =
      switch (request, event.transaction) {
      case (let request?, let transaction?): "\(request) (\(transaction)): "
      case (let request?, nil): "\(request): "
      case (nil, let transaction?): "(\(transaction)): "
      case (nil, nil): ""
      }
    return style(time, .dim) + "  " + style(padded(event.level.rawValue, 7), tone(event.level))
      + "  " + padded(Printable.text(event.name), 9) + "  "
      + Printable.text(subject + event.message)
  }

  /// Keys in a fixed order; `request` and `transaction` only where the event is about one.
  static func json(_ event: Log.Event) -> String {
    let members: [(String, JSONText?)] = [
      ("at", .string(event.at.iso8601)), ("level", .string(event.level.rawValue)),
      ("event", .string(event.name)), ("request", event.request.map(JSONText.int)),
      ("transaction", event.transaction.map(JSONText.string)),
      ("message", .string(PlainText.excerpt(event.message, limit: 4000))),
    ]
    return JSONText.object(members.compactMap { key, value in value.map { (key, $0) } }).text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func tone(_ level: Log.Level) -> Style.Tone {
    switch level {
    case .info: .plain
    case .warning: .attention
    case .error: .bad
    }
  }
}
