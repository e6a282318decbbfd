/// What a wrong command line is told.
extension ArgumentParser {
  static func unknownOption(
    _ command: CommandName?, _ word: String, _ known: [Option]
  ) -> CommandFailure {
    let near = Suggestion.nearest(to: word, in: known.map { "--\($0.name)" })
    let hint = near.map { "did you mean \($0)?" }
    let all = known.map(\.shown).joined(separator: ", ")
    return usage(
      command, "unknown option\(Suggestion.quoted(word)); \(hint ?? "known: \(all)")",
      help: command)
  }

  static func usage(
    _ command: CommandName?, _ problem: String, help: CommandName?
  ) -> CommandFailure {
    let subject = command.map { "\($0.rawValue): " } ?? ""
    let hint = "see consumptiond help" + (help.map { " \($0.rawValue)" } ?? "")
    return CommandFailure(code: .usage, message: "\(subject)\(problem) (\(hint))")
  }
}
