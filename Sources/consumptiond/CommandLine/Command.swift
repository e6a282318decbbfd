/// A command line that was understood.
enum Command: Equatable {
  case run(config: String?, drain: Bool)
  case migrate(MigrationTarget)
  case enqueue(config: String?, InputSource)
  case verify(config: String?, InputSource, root: String?, json: Bool)
  case check(config: String?, customer: String?, json: Bool)
  case preview(config: String?, PreviewSubject, json: Bool)
  case status(config: String?, StatusView)
  case show(config: String?, id: String, json: Bool)
  case intervene(config: String?, id: String, Intervention)
  case pause(config: String?, app: String?, note: String?)
  case resume(config: String?, app: String?)
  case adopt(config: String?, cancelOpen: Bool)
  /// Nil: the overview.
  case help(CommandName?)
  case version

  /// What `migrate` works on.
  enum MigrationTarget: Equatable {
    /// Nothing: the statements are printed.
    case print
    /// Settings of a connection from the command line; no configuration is read.
    case database(Secret)
    case configured(config: String?)
  }

  init(_ name: CommandName, _ words: ParsedWords) throws(CommandFailure) {
    let config = words.config
    let json = words.has("json")
    switch name {
    case .run: self = .run(config: config, drain: words.has("drain"))
    case .migrate: self = .migrate(try Self.target(words))
    case .enqueue: self = .enqueue(config: config, InputSource(words.operand))
    case .verify:
      self = .verify(
        config: config, InputSource(words.operand), root: words.values["root"], json: json)
    case .check: self = .check(config: config, customer: words.values["customer"], json: json)
    case .preview:
      self = .preview(config: config, PreviewSubject(words.operand ?? ""), json: json)
    case .status: self = .status(config: config, try StatusView(words))
    case .show: self = .show(config: config, id: words.operand ?? "", json: json)
    case .answer, .retry, .cancel:
      self = .intervene(config: config, id: words.operand ?? "", try Intervention(name, words))
    case .pause:
      self = .pause(config: config, app: words.values["app"], note: words.values["note"])
    case .resume: self = .resume(config: config, app: words.values["app"])
    case .adopt: self = .adopt(config: config, cancelOpen: words.has("cancel-open"))
    case .help: self = .help(try words.operand.map(Self.topic))
    case .alerts, .report, .backtest, .backfill, .prune, .forget, .export:
      throw CommandFailure(code: .usage, message: "\(name.rawValue): not built yet")
    }
  }

  private static func target(_ words: ParsedWords) throws(CommandFailure) -> MigrationTarget {
    let database = words.values["database"]
    if words.has("print") {
      guard database == nil else {
        throw CommandFailure(
          code: .usage,
          message: "migrate: either --print or --database (see consumptiond help migrate)")
      }
      return .print
    }
    return database.map { .database(Secret($0)) } ?? .configured(config: words.config)
  }

  private static func topic(_ word: String) throws(CommandFailure) -> CommandName {
    guard let name = CommandName(rawValue: word) else {
      let near = Suggestion.nearest(to: word, in: CommandName.allCases.map(\.rawValue))
      throw CommandFailure(
        code: .usage,
        message: "help: unknown command\(Suggestion.quoted(word))"
          + (near.map { "; did you mean \($0)?" } ?? "") + " (see consumptiond help)")
    }
    guard name.syntax != nil else {
      throw CommandFailure(code: .usage, message: "\(word): not built yet (see consumptiond help)")
    }
    return name
  }
}

/// Where a command reads from.
enum InputSource: Equatable {
  case standardInput
  case file(String)

  /// `-` and nothing are standard input.
  init(_ operand: String?) {
    self = operand.flatMap { $0 == "-" ? nil : .file($0) } ?? .standardInput
  }
}
