import Decision

/// What a person does to one request.
enum Intervention: Equatable {
  /// Ready at once instead of later; perhaps decided anew.
  case retry(redecide: Bool)
  case cancel
  /// A person's word in place of the rules.
  case answer(Choice, note: String?)

  var command: CommandName {
    switch self {
    case .retry: .retry
    case .cancel: .cancel
    case .answer: .answer
    }
  }

  init(_ name: CommandName, _ words: ParsedWords) throws(CommandFailure) {
    switch name {
    case .answer: self = .answer(try Self.choice(words), note: words.values["note"])
    case .cancel: self = .cancel
    default: self = .retry(redecide: words.has("redecide"))
    }
  }

  /// A person cannot leave it to a person.
  private static let choices = Choice.allCases.filter { $0 != .review }.map(\.rawValue)

  private static func choice(_ words: ParsedWords) throws(CommandFailure) -> Choice {
    let expected = choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
    guard let word = words.values["prefer"] else {
      throw ArgumentParser.usage(.answer, "--prefer is missing: \(expected)", help: .answer)
    }
    guard choices.contains(word.uppercased()), let choice = Choice(rawValue: word.uppercased())
    else { throw ArgumentParser.usage(.answer, "--prefer takes \(expected)", help: .answer) }
    return choice
  }
}
