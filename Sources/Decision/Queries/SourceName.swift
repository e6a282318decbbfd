/// Which names a usage source may have: they become columns in rules.
public enum SourceName {
  /// Why a name cannot be used.
  public enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not `^[a-z][a-z0-9_]{0,50}$`.
    case pattern
    case keyword
    case builtInFact
    /// Another source's name, or the name of its cost.
    case taken(by: String)

    public var description: String {
      switch self {
      case .pattern: "a lower-case letter, then at most 50 of a-z, 0-9 and _"
      case .keyword: "a name that is no SQL keyword"
      case .builtInFact: "a name that is no built-in fact"
      case .taken(let other): "a name apart from those of source \(other)"
      }
    }
  }

  /// What is wrong with a name beside those of the other sources.
  public static func fault(in name: String, beside others: [String]) -> Fault? {
    let bytes = Array(name.utf8)
    let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) }
    let isName = { (byte: UInt8) in isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5F }
    guard let first = bytes.first, isLetter(first), bytes.count <= 51, bytes.allSatisfy(isName)
    else { return .pattern }
    if SQLKeywords.notColumns.contains(name) { return .keyword }
    let own = [FactName.quantity(of: name), FactName.cost(of: name)]
    let builtIn = FactDefinition.builtIn.map(\.name) + FactName.notBuiltYet
    if own.contains(where: builtIn.contains) { return .builtInFact }
    for other in others {
      let taken = [FactName.quantity(of: other), FactName.cost(of: other)]
      if own.contains(where: taken.contains) { return .taken(by: other) }
    }
    return nil
  }
}
