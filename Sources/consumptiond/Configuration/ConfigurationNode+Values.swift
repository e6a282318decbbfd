import Decision
import FoundationEssentials

extension ConfigurationNode {
  /// One of a few words.
  func word<Word: RawRepresentable & CaseIterable>(
    notBuiltYet: [String] = []
  ) throws(ConfigurationError) -> Word where Word.RawValue == String {
    let words = Word.allCases.map { "\"\($0.rawValue)\"" }
    let expected =
      words.count < 3
      ? words.joined(separator: " or ") : "one of " + words.joined(separator: ", ")
    let text = try text(expected)
    if notBuiltYet.contains(text.value) { throw self.notBuiltYet(text.shown) }
    guard let word = Word(rawValue: text.value) else {
      throw error(found: text.shown, expected: expected)
    }
    return word
  }

  /// ASCII letters and digits, and perhaps some more characters.
  func identifier(_ what: String, extra: String = "") throws(ConfigurationError) -> String {
    let text = try text(what)
    let isPlain = text.value.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || extra.contains($0))
    }
    guard isPlain else { throw error(found: text.shown, expected: what) }
    return text.value
  }

  /// A whole number with a unit: `"15s"`, `"30m"`, `"6h"`, `"7d"`.
  func duration(in range: ClosedRange<Duration>) throws(ConfigurationError) -> Duration {
    let expected = "a duration such as \"15s\", \"30m\", \"6h\" or \"7d\""
    let text = try text(expected)
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let digits = text.value.dropLast()
    guard let unit = text.value.last.flatMap({ units[$0] }), digits.count <= 9,
      digits.allSatisfy({ ("0"..."9").contains($0) }), let count = Int64(digits)
    else { throw error(found: text.shown, expected: expected) }
    let duration = Duration.seconds(count * unit)
    guard range.contains(duration) else {
      throw error(
        found: text.shown,
        expected:
          "a duration from \(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound))")
    }
    return duration
  }

  private static func shown(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let unit = [(86_400, "d"), (3600, "h"), (60, "m")].first {
      seconds >= $0.0 && seconds % Int64($0.0) == 0
    }
    return unit.map { "\"\(seconds / Int64($0.0))\($0.1)\"" } ?? "\"\(seconds)s\""
  }

  /// A number that is not negative, with every digit that was written.
  func amount() throws(ConfigurationError) -> ExactDecimal {
    guard case .number(let number) = value, let decimal = ExactDecimal(number.description),
      !decimal.isNegative
    else { throw error(expected: "a number of at least 0") }
    return decimal
  }

  /// One query, of which the parameters in `allowed` have a value.
  func query(_ allowed: [QueryParameter]) throws(ConfigurationError) -> NamedQuery {
    let text = try text("a query")
    do throws(NamedQueryError) {
      return try NamedQuery(text.value, allowed: allowed)
    } catch {
      throw self.error("\(error)")
    }
  }

  /// `{ query: "…" }`
  func queryObject(_ allowed: [QueryParameter]) throws(ConfigurationError) -> NamedQuery {
    try object(["query"]).required("query", "a query").query(allowed)
  }

  /// The contents of a file that a string names.
  func contents() throws(ConfigurationError) -> (bytes: [UInt8], written: String) {
    let written = try text("the path of a file").value
    return (try place.contents(of: written, at: path), written)
  }
}
