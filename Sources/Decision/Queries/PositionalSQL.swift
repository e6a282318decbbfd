/// SQL with `$1…`, of which several become one statement.
public enum PositionalSQL {
  /// The same text with every `$n` moved by `offset`; strings, names, dollar quotes and comments
  /// are left alone.
  public static func shifted(_ sql: String, by offset: Int) throws(NamedQueryError) -> String {
    guard offset > 0 else { return sql }
    var scanner = SQLScanner(sql)
    var shifted = ""
    while let (token, range) = try scanner.next() {
      if case .positional(let text) = token, let number = Int(text.dropFirst()) {
        shifted += "$\(number + offset)"
      } else {
        shifted += scanner.text(range)
      }
    }
    return shifted
  }

  /// Whether the text is an expression by itself: no parameter of either kind, no `;`.
  public static func isPlain(_ sql: String) -> Bool {
    var scanner = SQLScanner(sql)
    do throws(NamedQueryError) {
      while let (token, _) = try scanner.next() {
        switch token {
        case .text, .blank: continue
        case .parameter, .positional, .semicolon: return false
        }
      }
    } catch {
      return false
    }
    return true
  }
}
