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
      ["name", "events", "query", "timeZone"],
      notBuiltYet: ["level", "settle", "fresh", "currency", "environments"])
    let nameNode = try object.required("name", "the source's name")
    let name = try nameNode.text("the source's name")
    if let fault = SourceName.fault(in: name.value, beside: others) {
      throw nameNode.error(found: name.shown, expected: "\(fault)")
    }
    let zoneNode = object.optional("timeZone")
    let zone = try zoneNode?.text("the name of a time zone").value
    switch (object.optional("events"), object.optional("query")) {
    case (let events?, nil):
      return UsageSource(name: name.value, measure: .events(try self.events(events, zone)))
    case (nil, let query?):
      if let zoneNode { throw zoneNode.error("found beside query, expected beside events alone") }
      return UsageSource(
        name: name.value, measure: .query(try query.query(QueryParameter.allCases)))
    case (nil, nil): throw node.error(found: "neither", expected: "either events or query")
    case (_?, _?): throw node.error(found: "both", expected: "either events or query")
    }
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
      filter: try object.optional("where")?.text("a boolean expression").value)
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
