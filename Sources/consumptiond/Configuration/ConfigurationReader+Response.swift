import AppStore
import Decision

extension ConfigurationReader {
  func response(
    _ node: ConfigurationNode, sources: [String]
  ) throws(ConfigurationError) -> ResponsePolicy {
    let object = try node.object(
      ["sampleContentProvided", "deliveryStatus", "refundPreference"],
      notBuiltYet: ["consumptionPercentage", "holdout", "drift"])
    let sample = try object.required("sampleContentProvided", "true or false")
    try refuseQuery(sample)
    let delivery = try object.required("deliveryStatus", "one of Apple's words")
    try refuseQuery(delivery)
    return ResponsePolicy(
      sampleContentProvided: try sample.bool(), deliveryStatus: try delivery.word(),
      preference: try object.optional("refundPreference").map { node throws(ConfigurationError) in
        try preference(node, sources: sources)
      }
        ?? PreferencePolicy())
  }

  private func refuseQuery(_ node: ConfigurationNode) throws(ConfigurationError) {
    guard case .object(let members) = node.value, members["query"] != nil else { return }
    throw node.notBuiltYet("a query")
  }

  private func preference(
    _ node: ConfigurationNode, sources: [String]
  ) throws(ConfigurationError) -> PreferencePolicy {
    let object = try node.object(["rules", "otherwise", "whenUnknown", "tests"])
    var rules: [Rule] = []
    if let list = object.optional("rules"), list.value != .list([]) {
      for member in try list.list(of: "rules") {
        let rule = try rule(member)
        guard !rules.contains(where: { $0.name == rule.name }) else {
          throw member.place.error(
            "\(member.path).name", "found \"\(rule.name)\" a second time, expected once")
        }
        rules.append(rule)
      }
    }
    return PreferencePolicy(
      rules: rules,
      otherwise: try object.optional("otherwise")?.word()
        ?? Choice.none,
      whenUnknown: try object.optional("whenUnknown")?.word()
        ?? Choice.none,
      tests: try object.optional("tests").map { node throws(ConfigurationError) in
        try tests(node, FactTable(sources: sources))
      } ?? [])
  }

  private func rule(_ node: ConfigurationNode) throws(ConfigurationError) -> Rule {
    let object = try node.object(["name", "when", "prefer"])
    let when = try object.required("when", "a boolean expression over the facts")
    let rule = Rule(
      name: try object.required("name", "the rule's name").text().value,
      when: try when.text("a boolean expression over the facts").value,
      prefer: try object.required("prefer", "what the rule leads to").word())
    if let fact = FactName.notBuiltYet.first(where: rule.mentions) {
      throw when.notBuiltYet("\(fact)")
    }
    return rule
  }
}
