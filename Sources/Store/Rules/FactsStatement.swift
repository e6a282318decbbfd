internal import AppStore
internal import Decision
internal import PostgreSQL

/// The facts of one request as typed parameters, and the arithmetic over them.
///
/// An unknown and a fact that does not apply are both null here; which is which is known outside,
/// and the rules' statement takes the difference as booleans.
struct FactsStatement {
  private let facts: Facts
  private let table: FactTable
  private var parameters: [Parameter] = []
  private var relation = ""

  init(_ facts: Facts, table: FactTable) {
    self.facts = facts
    self.table = table
    let cost = facts.costs.map { bind($0.text, TypeID.numeric) }.joined(separator: " + ")
    let price = bind(facts.priceMilliunits.map(String.init), TypeID.numeric)
    let purchase = bind(facts.purchaseDate.iso8601, TypeID.timestamptz)
    let signed = bind(facts.signedAt.iso8601, TypeID.timestamptz)
    let start = bind((facts.period?.start.microseconds).map(String.init), TypeID.numeric)
    let end = bind((facts.period?.end?.microseconds).map(String.init), TypeID.numeric)
    let asked = bind(String(facts.signedAt.microseconds), TypeID.numeric)
    let computed: [FactName: String] = [
      .cost: facts.costs.isEmpty ? "NULL::numeric" : "trim_scale(\(cost))",
      .price: "trim_scale(\(price) / 1000)",
      .priceConverted: "trim_scale(\(price) / 1000)",
      // Multiplied first and divided once.
      .costShare: facts.costs.isEmpty
        ? "NULL::numeric" : "trim_scale((\(cost)) * 1000 / nullif(\(price), 0))",
      .elapsed:
        "trim_scale(least(greatest((\(asked) - \(start)) / nullif(\(end) - \(start), 0), 0), 1))",
      .askedAfter: "\(signed) - \(purchase)",
    ]
    let columns = table.definitions.map { definition in
      let name = "\"\(definition.name)\""
      guard facts.status(of: definition.name) == .known else {
        return "NULL::\(definition.type.rawValue) AS \(name)"
      }
      if facts.derived[definition.name] != nil, let expression = computed[definition.name] {
        return "\(expression) AS \(name)"
      }
      let value = bind(facts.values[definition.name]?.text, TypeID.text)
      return "\(value)::\(definition.type.rawValue) AS \(name)"
    }
    // Every parameter has a type here, also where no expression mentions it.
    relation = "(SELECT \(columns.joined(separator: ",\n    "))) f"
  }

  private mutating func bind(_ value: String?, _ type: UInt32) -> String {
    parameters.append(.typed(value, type))
    return "$\(parameters.count)"
  }

  /// The facts, and the same as JSON without what is unknown.
  var computing: Statement {
    let unknown = table.definitions.map(\.name).filter { facts.status(of: $0) == .unknown }
    return Statement(
      """
      SELECT f.*, (to_jsonb(f) - $\(parameters.count + 1)::text[])::text AS consumptiond_json
      FROM \(relation)
      """, parameters + [.array(unknown.map(\.rawValue))])
  }

  /// The first rule that is true, as its index; -1 - index for the first that an unknown fact
  /// leaves undecided; null when none is true.
  func judging(_ rules: [CompiledRule]) -> Statement {
    var cases: [String] = []
    for (index, rule) in rules.enumerated() {
      let isUnknown = rule.facts.contains { facts.status(of: $0) == .unknown }
      // It could turn the unknown into a value, so it is not even asked.
      if isUnknown && rule.canHideNull { cases.append("WHEN true THEN \(-1 - index)") }
      cases.append("WHEN \(rule.expression) THEN \(index)")
      if isUnknown { cases.append("WHEN (\(rule.expression)) IS NULL THEN \(-1 - index)") }
    }
    let verdict = cases.isEmpty ? "NULL::integer" : "CASE \(cases.joined(separator: "\n    ")) END"
    return Statement("SELECT \(verdict) AS verdict\nFROM \(relation)", parameters)
  }
}
