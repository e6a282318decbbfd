internal import Decision

/// A query or rule of the configuration that cannot be used: the key's path, and what is wrong.
public struct QueryFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// Where PostgreSQL stumbled, in the text as the configuration has it.
  public struct Place: Sendable, Equatable {
    public let text: String
    /// In characters (Unicode scalars, as PostgreSQL counts), from 1.
    public let position: Int
  }

  public let path: String
  public let message: String
  public let place: Place?

  init(path: String, message: String, place: Place? = nil) {
    self.path = path
    self.message = message
    self.place = place
  }

  public var description: String { "\(path): \(message)" }
}

extension QueryFault.Place {
  /// A place in a text of our own around somebody's, of which `offset` characters come before it.
  init?(_ position: Int?, in text: String, after offset: Int) {
    guard let position, position > offset, position - offset <= text.unicodeScalars.count else {
      return nil
    }
    self.init(text: text, position: position - offset)
  }

  /// The same place where the parameters still have their names: `$1` was `$customer`.
  func named(_ query: NamedQuery) -> QueryFault.Place? {
    let sql = Array(query.sql.unicodeScalars)
    let written = Array(query.text.unicodeScalars)
    var (inSQL, inText) = (0, 0)
    while inSQL < position - 1, inText < written.count {
      let step = query.parameters.indices.lazy.reversed().compactMap { index in
        Self.step(
          sql[inSQL...], "$\(index + 1)", written[inText...], "$" + query.parameters[index].rawValue
        )
      }.first
      inSQL += step?.sql ?? 1
      inText += step?.text ?? 1
    }
    return inText < written.count ? .init(text: query.text, position: inText + 1) : nil
  }

  private static func step(
    _ sql: ArraySlice<Unicode.Scalar>, _ positional: String, _ text: ArraySlice<Unicode.Scalar>,
    _ name: String
  ) -> (sql: Int, text: Int)? {
    guard sql.starts(with: positional.unicodeScalars), text.starts(with: name.unicodeScalars)
    else { return nil }
    return (positional.unicodeScalars.count, name.unicodeScalars.count)
  }
}
