import Decision
import Testing

@Suite("Names of sources") struct SourceNameTests {
  @Test(
    "a name becomes two columns and must not be taken",
    arguments: [
      ("ai_generations", nil), ("a", nil), ("storage", nil), ("x1", nil),
      (String(repeating: "a", count: 51), nil), (String(repeating: "a", count: 52), .pattern),
      ("", .pattern), ("1a", .pattern), ("_a", .pattern), ("aB", .pattern), ("a-b", .pattern),
      ("a b", .pattern), ("é", .pattern), ("a\n", .pattern),
      ("select", .keyword), ("user", .keyword), ("between", .keyword), ("json_table", .keyword),
      ("ctid", .keyword), ("oid", .keyword),
      ("cost", .builtInFact), ("price", .builtInFact), ("elapsed", .builtInFact),
      ("earlier_refunds", .builtInFact),
      ("calls", .taken(by: "calls")), ("calls_cost", .taken(by: "calls")),
      ("minutes", .taken(by: "minutes_cost")), ("calls_costs", nil),
    ] as [(String, SourceName.Fault?)])
  func faults(name: String, fault: SourceName.Fault?) {
    #expect(SourceName.fault(in: name, beside: ["calls", "minutes_cost"]) == fault)
  }
}
