/// Colour, sparingly: what is wrong is red, what wants attention yellow, what went well green.
struct Style: Equatable {
  let isColoured: Bool

  static let plain = Style(isColoured: false)

  init(isColoured: Bool) { self.isColoured = isColoured }

  /// As https://no-color.org and terminals without colour ask for.
  init(isTerminal: Bool, environment: [String: String]) {
    let refused = !(environment["NO_COLOR"] ?? "").isEmpty
    isColoured = isTerminal && !refused && environment["TERM"] != "dumb"
  }

  enum Tone: Equatable {
    case plain, bold, dim, good, attention, bad

    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .bold: "1"
      case .dim: "2"
      case .good: "32"
      case .attention: "33"
      case .bad: "31"
      }
    }
  }

  func callAsFunction(_ text: String, _ tone: Tone) -> String {
    guard isColoured, let code = tone.code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// The tone of a request's state.
  static func tone(ofState state: String) -> Tone {
    switch state {
    case "answered", "observed", "settled": .good
    case "waiting", "held", "cancelled", "withheld": .attention
    case "missed", "failed": .bad
    default: .plain
    }
  }
}
