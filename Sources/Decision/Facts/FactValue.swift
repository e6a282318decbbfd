/// What is known of a fact.
public enum FactValue: Sendable, Hashable {
  /// Text that PostgreSQL reads as the fact's type.
  case known(String)
  /// Null in a rule, and the rule goes on.
  case notApplicable
  /// Null in a rule, and the rule may not be decided by it.
  case unknown

  /// A number that PostgreSQL gave: NaN and the infinities are unknown, because to PostgreSQL
  /// `'NaN' >= 5` is true.
  public static func number(_ text: String?) -> FactValue {
    guard let text, isFinite(text) else { return .unknown }
    return .known(text)
  }

  /// The text, when it is known.
  public var text: String? {
    if case .known(let text) = self { text } else { nil }
  }

  /// Whether the text is a finite number as PostgreSQL writes `numeric`, with an exponent or not.
  private static func isFinite(_ text: String) -> Bool {
    var digits = text[...]
    if let exponent = digits.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      var power = digits[digits.index(after: exponent)...]
      if power.hasPrefix("+") || power.hasPrefix("-") { power = power.dropFirst() }
      guard !power.isEmpty, power.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return false
      }
      digits = digits[..<exponent]
    }
    return ExactDecimal(String(digits)) != nil
  }
}
