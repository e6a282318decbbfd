/// An option of a command line, `--name` or `--name VALUE`.
struct Option: Equatable {
  let name: String
  /// What help calls the value; nil: a flag.
  let value: String?
  /// The value may be left out; one that is given is a whole number.
  let isOptional: Bool
  /// False: known by name, refused.
  let isBuilt: Bool

  init(_ name: String, value: String? = nil, isOptional: Bool = false, isBuilt: Bool = true) {
    self.name = name
    self.value = value
    self.isOptional = isOptional
    self.isBuilt = isBuilt
  }

  /// Of all commands.
  static let config = Option("config", value: "FILE")

  /// `--config FILE`, `--watch [SECONDS]`
  var shown: String {
    "--\(name)" + (value.map { isOptional ? " [\($0)]" : " \($0)" } ?? "")
  }
}

/// What a command takes besides the options of all commands.
struct Syntax: Equatable {
  let options: [Option]
  /// What help calls the one operand; nil: none.
  let operand: String?
  let isRequired: Bool

  init(_ options: [Option], operand: String? = nil, isRequired: Bool = false) {
    self.options = options + [.config]
    self.operand = operand
    self.isRequired = isRequired
  }

  var builtOptions: [Option] { options.filter(\.isBuilt) }
}
