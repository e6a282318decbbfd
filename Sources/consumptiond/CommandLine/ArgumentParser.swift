/// Takes the words of a command line apart.
///
/// `--name value`, `--name=value`, flags; options and the operand in any order, `--config` before the
/// command too; `--` ends the options, `-` is an operand. A word that is wrong is repeated only where
/// it can be no secret: a connection string in the wrong place may hold a password.
struct ArgumentParser {
  private var rest: ArraySlice<String>
  private var values: [String: String] = [:]
  private var operands: [String] = []

  /// - Throws: `usage`, with the sentence that says what is wrong and what would be right.
  static func parse(_ words: [String]) throws(CommandFailure) -> Command {
    let optionWords = words.prefix { $0 != "--" }
    let asksForHelp = optionWords.contains { $0 == "--help" || $0 == "-h" }
    if words.first == "--version" { return .version }
    var parser = ArgumentParser(rest: words[...])
    guard let name = try parser.command(asksForHelp) else { return .help(nil) }
    guard let syntax = name.syntax else {
      throw usage(name, "not built yet", help: nil)
    }
    if asksForHelp { return .help(name == .help ? nil : name) }
    try parser.readAll(name, syntax)
    return try Command(name, ParsedWords(values: parser.values, operand: parser.operands.first))
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  /// The command's name, behind nothing but `--config`; nil: help without a command.
  private mutating func command(_ asksForHelp: Bool) throws(CommandFailure) -> CommandName? {
    while let word = rest.first, word.hasPrefix("-"), word != "-" {
      if word == "--help" || word == "-h" {
        rest.removeFirst()
      } else {
        try readOption(nil, [.config])
      }
    }
    guard let word = rest.popFirst() else {
      if asksForHelp { return nil }
      throw Self.usage(nil, "no command given", help: nil)
    }
    guard let name = CommandName(rawValue: word) else {
      let near = Suggestion.nearest(to: word, in: CommandName.allCases.map(\.rawValue))
      throw Self.usage(
        nil,
        "unknown command\(Suggestion.quoted(word))\(near.map { "; did you mean \($0)?" } ?? "")",
        help: nil)
    }
    return name
  }

  private mutating func readAll(_ name: CommandName, _ syntax: Syntax) throws(CommandFailure) {
    while let word = rest.first {
      if word == "--" {
        operands += rest.dropFirst()
        rest = []
      } else if word.hasPrefix("-"), word != "-" {
        try readOption(name, syntax.options)
      } else {
        operands.append(word)
        rest.removeFirst()
      }
    }
    guard let operand = syntax.operand else {
      if operands.isEmpty { return }
      throw Self.usage(name, "takes options alone, found another word", help: name)
    }
    if operands.count > 1 {
      throw Self.usage(name, "takes one \(operand), found \(operands.count)", help: name)
    }
    if syntax.isRequired, operands.first?.isEmpty ?? true {
      throw Self.usage(name, "\(operand) is missing", help: name)
    }
  }

  private mutating func readOption(
    _ command: CommandName?, _ known: [Option]
  ) throws(CommandFailure) {
    let word = rest.removeFirst()
    let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0].drop { $0 == "-" })
    guard word.hasPrefix("--"), let option = known.first(where: { $0.name == name }) else {
      throw Self.unknownOption(command, String(halves[0]), known.filter(\.isBuilt))
    }
    guard option.isBuilt else { throw Self.usage(command, "--\(name): not built yet", help: nil) }
    guard values[name] == nil else {
      throw Self.usage(command, "--\(name) is given twice", help: command)
    }
    guard let placeholder = option.value else {
      guard halves.count == 1 else {
        throw Self.usage(command, "--\(name) takes no value", help: command)
      }
      values[name] = ""
      return
    }
    if option.isOptional, halves.count == 1, !(rest.first?.allSatisfy(\.isNumber) ?? false) {
      values[name] = ""
      return
    }
    let next = halves.count == 2 ? String(halves[1]) : rest.popFirst()
    guard let value = next, !value.isEmpty, halves.count == 2 || !value.hasPrefix("--") else {
      throw Self.usage(command, "--\(name) needs a value: \(placeholder)", help: command)
    }
    values[name] = value
  }
}
