import AppStore

/// Times and durations in people's words.
enum HumanTime {
  /// `2026-11-30 20:04:41 UTC`
  static func utc(_ instant: Instant) -> String {
    let text = instant.iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
  }

  /// PostgreSQL's JSON time as ``utc(_:)``; what is no time, as it is.
  static func utc(_ text: String) -> String {
    Instant(iso8601: text).map { utc($0) } ?? text
  }

  /// `42 s`, `4 min 12 s`, `53 min`, `11 h 42 min`, `3 d 4 h`: two units at most, rounded down.
  static func duration(seconds: Int64) -> String {
    let seconds = seconds.magnitude
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<600: return two(minutes, "min", seconds % 60, "s")
    case ..<3600: return "\(minutes) min"
    case ..<86_400: return two(hours, "h", minutes % 60, "min")
    default: return two(days, "d", hours % 24, "h")
    }
  }

  /// `due in 42 s`, `late by 3 min`
  static func due(inSeconds seconds: Int64) -> String {
    seconds < 0 ? "late by \(duration(seconds: seconds))" : "due in \(duration(seconds: seconds))"
  }

  /// `in 42 s`, `3 min ago`
  static func relative(toSeconds seconds: Int64) -> String {
    seconds < 0 ? "\(duration(seconds: seconds)) ago" : "in \(duration(seconds: seconds))"
  }

  /// ``relative(toSeconds:)`` in one unit, for a narrow column.
  static func coarse(toSeconds seconds: Int64) -> String {
    let magnitude = seconds.magnitude
    let unit: Int64 =
      switch magnitude {
      case ..<60: 1
      case ..<3600: 60
      case ..<86_400: 3600
      default: 86_400
      }
    return relative(toSeconds: seconds / unit * unit)
  }

  private static func two(_ large: UInt64, _ unit: String, _ small: UInt64, _ smallUnit: String)
    -> String
  {
    small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
  }
}
