import AppStore
import Decision

extension ConfigurationReader {
  func usage(_ node: ConfigurationNode?) throws(ConfigurationError) -> UsagePolicy? {
    guard let object = try node?.object(["currency", "sources"]) else { return nil }
    let sources = try object.optional("sources").map(self.sources) ?? []
    if sources.isEmpty, object.optional("currency") == nil { return nil }
    let node = try object.required("currency", "the currency of the sources")
    let currency = try node.text("an ISO 4217 code such as \"USD\"")
    let letters = Array(currency.value.utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw node.error(found: currency.shown, expected: "an ISO 4217 code such as \"USD\"")
    }
    return UsagePolicy(currency: currency.value, sources: sources)
  }

  private func sources(_ node: ConfigurationNode) throws(ConfigurationError) -> [UsageSource] {
    // A list without sources is allowed: it says the same as no list.
    if node.value == .list([]) { return [] }
    var sources: [UsageSource] = []
    for member in try node.list(of: "sources") {
      sources.append(try source(member, beside: sources.map(\.name)))
    }
    return sources
  }

  private func source(
    _ node: ConfigurationNode, beside others: [String]
  ) throws(ConfigurationError) -> UsageSource {
    let object = try node.object(
      ["name", "events", "level", "query", "timeZone", "settle", "fresh", "environments"],
      notBuiltYet: ["currency"])
    let nameNode = try object.required("name", "the source's name")
    let name = try nameNode.text("the source's name")
    if let fault = SourceName.fault(in: name.value, beside: others) {
      throw nameNode.error(found: name.shown, expected: "\(fault)")
    }
    return UsageSource(
      name: name.value, measure: try measure(object),
      settle: try object.optional("settle")?.duration(in: .zero...Deadline.window(.production))
        ?? .zero,
      fresh: try object.optional("fresh").map(fresh),
      environments: try object.optional("environments").map(environments)
        ?? Set(AppStore.Environment.allCases))
  }

  private func measure(
    _ object: ConfigurationObject
  ) throws(ConfigurationError) -> UsageSource.Measure {
    let zoneNode = object.optional("timeZone")
    let zone = try zoneNode?.text("the name of a time zone").value
    let found = ["events", "level", "query"].filter { object.optional($0) != nil }
    guard found.count == 1 else {
      throw object.node.error(
        found: found.isEmpty ? "none" : found.joined(separator: " and "),
        expected: "one of events, level, query")
    }
    if let events = object.optional("events") { return .events(try self.events(events, zone)) }
    if let level = object.optional("level") { return .level(try self.level(level, zone)) }
    if let zoneNode { throw zoneNode.error("found beside query, expected beside events or level") }
    let query = try object.required("query", "a query")
    return .query(try query.query(QueryParameter.allCases))
  }

  private func fresh(
    _ node: ConfigurationNode
  ) throws(ConfigurationError) -> UsageSource.Freshness {
    let object = try node.object(["query", "within"])
    return UsageSource.Freshness(
      query: try object.required("query", "a query").query(QueryParameter.allCases),
      within: try object.required("within", "a duration such as \"26h\"")
        .duration(in: .zero...(.seconds(366 * 86_400))))
  }

  private func level(
    _ node: ConfigurationNode, _ timeZone: String?
  ) throws(ConfigurationError) -> LevelTable {
    let object = try node.object([
      "table", "customer", "time", "level", "series", "before", "unit", "unitCostPerMonth", "where",
    ])
    let unitNode = object.optional("unit")
    let unit = try unitNode?.amount()
    if let unitNode, let unit, unit.isZero {
      throw unitNode.error(found: unit.text, expected: "a number above 0")
    }
    return LevelTable(
      table: try object.required("table", "the name of a table").text().value,
      customer: try object.required("customer", "the name of a column").text().value,
      time: try object.required("time", "the name of a column").text().value,
      timeZone: timeZone,
      level: try object.required("level", "the name of a column").text().value,
      series: try object.optional("series")?.text("the name of a column").value,
      before: try object.required("before", "\"zero\" or \"unknown\"").word(),
      unit: unit ?? .one,
      unitCostPerMonth: try object.required("unitCostPerMonth", "a number of at least 0").amount(),
      filter: try object.optional("where").map(filter))
  }

  /// An expression by itself: it stands inside a statement of ours.
  private func filter(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
    let text = try node.text("a boolean expression")
    guard PositionalSQL.isPlain(text.value) else {
      throw node.error(
        "found a parameter or a semicolon, expected a boolean expression over columns")
    }
    return text.value
  }

  private func events(
    _ node: ConfigurationNode, _ timeZone: String?
  ) throws(ConfigurationError) -> EventsTable {
    let object = try node.object([
      "table", "customer", "time", "cost", "quantity", "unitCost", "where",
    ])
    return EventsTable(
      table: try object.required("table", "the name of a table").text().value,
      customer: try object.required("customer", "the name of a column").text().value,
      time: try object.required("time", "the name of a column").text().value,
      timeZone: timeZone,
      amount: try amount(object),
      filter: try object.optional("where").map(filter))
  }

  private func amount(
    _ object: ConfigurationObject
  ) throws(ConfigurationError) -> EventsTable.Amount {
    let unitCost = object.optional("unitCost")
    switch (object.optional("cost"), object.optional("quantity")) {
    case (let cost?, nil):
      if let unitCost {
        throw unitCost.error("found beside cost, expected beside quantity alone")
      }
      return .cost(column: try cost.text("the name of a column").value)
    case (nil, let quantity?):
      return .quantity(
        column: try quantity.text("the name of a column").value,
        unitCost: try object.required("unitCost", "a number of at least 0").amount())
    case (nil, nil): throw object.node.error(found: "neither", expected: "either cost or quantity")
    case (_?, _?): throw object.node.error(found: "both", expected: "either cost or quantity")
    }
  }
}
