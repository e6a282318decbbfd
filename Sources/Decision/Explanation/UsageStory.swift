/// What the usage tables said.
struct UsageStory {
  private(set) var sentences: [String] = []

  init(_ usage: UsageEvidence, cost: FactValue?) {
    guard let window = usage.window else {
      sentences.append("No usage was counted, because the period was not known.")
      return
    }
    guard !usage.sources.isEmpty else { return }
    let sources = usage.sources.map { Self.clause($0, usage.currency) }
    let total =
      cost?.text.map { "cost \(PlainWords.value($0)) \(usage.currency)" } ?? "had an unknown cost"
    sentences.append(
      "Usage from \(PlainWords.time(window.start)) until \(PlainWords.time(window.until)) \(total): "
        + sources.joined(separator: "; ") + ".")
  }

  private static func clause(_ source: SourceUsage, _ currency: String) -> String {
    if source.quantity == .notApplicable, source.cost == .notApplicable {
      return "\(source.source) does not count here"
    }
    let quantity = source.quantity.text.map(PlainWords.value)
    let cost = source.cost.text.map(PlainWords.value)
    let known: String? =
      switch (quantity, cost) {
      case (let quantity?, let cost?): "quantity \(quantity), cost \(cost) \(currency)"
      case (let quantity?, nil): "quantity \(quantity), cost unknown"
      case (nil, let cost?): "quantity unknown, cost \(cost) \(currency)"
      case (nil, nil): nil
      }
    let why = source.ignorance.map { " (\(words($0)))" } ?? ""
    return "\(source.source) \(known ?? "unknown")\(why)"
  }

  private static func words(_ ignorance: SourceUsage.Ignorance) -> String {
    switch ignorance {
    case .noWindow: "the period was not known"
    case .noNumber: "a value was missing or was no finite number"
    case .rows(let count): "the query returned \(count) rows"
    case .hiddenRows: "row-level security would have hidden rows"
    case .permission: "permission was denied"
    case .timeout: "the query took too long"
    case .settling: "its rows had not settled"
    case .stale: "its newest record was too old"
    case .error(let sqlState): "the query failed with SQLSTATE \(PlainWords.word(sqlState))"
    case .unavailable: "the database was not reachable"
    }
  }
}
