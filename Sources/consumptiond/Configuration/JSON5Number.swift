/// The numbers of JSON5 that a configuration may use.
enum JSON5Number {
  /// Whether a word is a finite decimal number: `5`, `-0.5`, `+.5`, `5.`, `1e-3`.
  static func isNumber(_ word: String) -> Bool {
    var rest = word[...]
    if rest.hasPrefix("+") || rest.hasPrefix("-") { rest = rest.dropFirst() }
    let whole = digits(&rest)
    var fraction = 0
    if rest.hasPrefix(".") {
      rest = rest.dropFirst()
      fraction = digits(&rest)
    }
    guard whole + fraction > 0 else { return false }
    if rest.hasPrefix("e") || rest.hasPrefix("E") {
      rest = rest.dropFirst()
      if rest.hasPrefix("+") || rest.hasPrefix("-") { rest = rest.dropFirst() }
      guard digits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func digits(_ text: inout Substring) -> Int {
    let digits = text.prefix { ("0"..."9").contains($0) }
    text = text[digits.endIndex...]
    return digits.count
  }
}
