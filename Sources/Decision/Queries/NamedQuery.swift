/// A query of the user's with named parameters, made ready for PostgreSQL.
public struct NamedQuery: Sendable, Equatable {
  /// As it was written.
  public let text: String
  /// One statement with `$1…`, without its trailing `;`.
  ///
  /// It may end in a line comment: what wraps it begins a new line first.
  public let sql: String
  /// What `$1…` stand for, in order of first appearance.
  public let parameters: [QueryParameter]

  /// - Parameters:
  ///   - text: SQL; strings, quoted names, dollar quotes and comments are left alone.
  ///   - allowed: the parameters that have a value where the query runs.
  public init(
    _ text: String, allowed: [QueryParameter] = QueryParameter.allCases
  ) throws(NamedQueryError) {
    if text.utf8.contains(0) { throw .nulCharacter }
    var scanner = SQLScanner(text)
    var sql = ""
    var parameters: [QueryParameter] = []
    var hasText = false
    var ended = false
    while let (token, range) = try scanner.next() {
      switch token {
      case .blank:
        sql += scanner.text(range)
        continue
      case .semicolon:
        ended = ended || hasText
        continue
      case .text, .parameter, .positional:
        if ended { throw .severalStatements }
        hasText = true
      }
      switch token {
      case .positional(let text): throw .positionalParameter(text)
      case .parameter(let name):
        guard let parameter = QueryParameter(rawValue: name), allowed.contains(parameter) else {
          throw .unknownParameter(name: name, known: allowed.map(\.rawValue))
        }
        let index = parameters.firstIndex(of: parameter) ?? parameters.count
        if index == parameters.count { parameters.append(parameter) }
        sql += "$\(index + 1)"
      case .text, .blank, .semicolon: sql += scanner.text(range)
      }
    }
    if !hasText { throw .empty }
    self.text = text
    self.sql = sql
    self.parameters = parameters
  }
}
