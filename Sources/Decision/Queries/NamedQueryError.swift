/// Why a query of the user's cannot be used. Its description is one line without the query's text.
public enum NamedQueryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Nothing but white space and comments.
  case empty
  /// A second statement after the first one's `;`.
  case severalStatements
  /// `$name` with a name that means nothing here; `known` lists those that do.
  case unknownParameter(name: String, known: [String])
  /// `$1`: parameters are named, so that their order is ours to choose.
  case positionalParameter(String)
  /// A string, quoted name, dollar quote or comment that never ends.
  case unterminated(String)
  /// libpq takes C strings: what follows a NUL would silently be cut off.
  case nulCharacter

  public var description: String {
    switch self {
    case .empty: "found no statement, expected one query"
    case .severalStatements: "found a second statement after ';', expected one query"
    case .unknownParameter(let name, let known):
      "found unknown parameter $\(name), expected "
        + (known.isEmpty
          ? "none" : "one of " + known.map { "$" + $0 }.joined(separator: ", "))
    case .positionalParameter(let text): "found \(text), expected named parameters"
    case .unterminated(let what): "found \(what) that does not end, expected its end"
    case .nulCharacter: "found a NUL character, expected text without one"
    }
  }
}
