import Decision
import FoundationEssentials

extension ConfigurationReader {
  /// The rules' `tests`: numbers as numbers, intervals and texts as strings, null for what does not
  /// apply; what is absent is unknown.
  func tests(
    _ node: ConfigurationNode, _ table: FactTable
  ) throws(ConfigurationError) -> [RuleTest] {
    guard node.value != .list([]) else { return [] }
    var tests: [RuleTest] = []
    for member in try node.list(of: "{ facts: { … }, expect: … }") {
      let object = try member.object(["facts", "expect"])
      tests.append(
        RuleTest(
          facts: try facts(object.required("facts", "an object of facts"), table),
          expected: try object.required("expect", "what the rules lead to").word()))
    }
    return tests
  }

  private func facts(
    _ node: ConfigurationNode, _ table: FactTable
  ) throws(ConfigurationError) -> [FactName: FactValue] {
    guard case .object(let members) = node.value else {
      throw node.error(expected: "an object of facts")
    }
    var facts: [FactName: FactValue] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let member = ConfigurationNode(
        value: value, path: "\(node.path).\(name)", place: node.place)
      let fact = FactName(rawValue: name)
      if FactName.notBuiltYet.contains(fact) { throw member.notBuiltYet() }
      guard let type = table.type(of: fact) else {
        let near = Suggestion.nearest(to: name, in: table.definitions.map(\.name.rawValue))
        throw member.error(
          found: "no fact of that name", expected: near ?? "a fact that rules can use")
      }
      facts[fact] = try self.value(member, type)
    }
    return facts
  }

  private func value(
    _ node: ConfigurationNode, _ type: FactType
  ) throws(ConfigurationError) -> FactValue {
    switch (type, node.value) {
    case (_, .null): return .notApplicable
    case (.boolean, .bool(let value)): return .known(value ? "true" : "false")
    case (.numeric, .number(let number)): return .known(number.description)
    case (.integer, .number(let number)) where Int64(number.description) != nil:
      return .known(number.description)
    case (.text, .string(let text)), (.interval, .string(let text)): return .known(text)
    case (.boolean, _): throw node.error(expected: "true, false or null")
    case (.numeric, _): throw node.error(expected: "a number or null")
    case (.integer, _): throw node.error(expected: "a whole number or null")
    case (.text, _): throw node.error(expected: "a string or null")
    case (.interval, _): throw node.error(expected: "an interval such as \"2 days\", or null")
    }
  }
}
