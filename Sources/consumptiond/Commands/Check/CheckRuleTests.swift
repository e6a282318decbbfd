import Decision
import PostgreSQL
import Store

/// The rules' `tests`, judged by PostgreSQL as a request's facts are.
enum CheckRuleTests {
  static func findings(
    _ policy: PreferencePolicy, _ queries: Queries, _ batch: ReadOnlyBatch,
    on connection: inout Connection
  ) throws(PostgresError) -> [Finding] {
    guard !policy.tests.isEmpty else { return [] }
    let judged = try queries.rules.judge(
      policy.tests.map { Facts.stated($0.facts) }, batch: batch, on: &connection)
    var findings: [Finding] = []
    for (index, (test, result)) in zip(policy.tests, judged).enumerated() {
      let subject = "response.refundPreference.tests[\(index)]"
      switch result {
      case .failure(let error):
        findings.append(
          .wrong(subject, "its facts cannot be read: \(Printable.text(error.message))"))
      case .success(let judged):
        findings.append(finding(test, judged, policy, subject, queries.rules.usedFacts))
      }
    }
    return findings
  }

  private static func finding(
    _ test: RuleTest, _ judged: Judged, _ policy: PreferencePolicy, _ subject: String,
    _ usedFacts: [[FactName]]
  ) -> Finding {
    let choice = policy.choice(for: judged.verdict, mayReview: true)
    let why = words(judged, policy, usedFacts)
    if case .failed = judged.verdict { return .wrong(subject, why) }
    return choice == test.expected
      ? .fine(subject, "\(choice.rawValue): \(why)")
      : .wrong(subject, "expected \(test.expected.rawValue), found \(choice.rawValue): \(why)")
  }

  private static func words(
    _ judged: Judged, _ policy: PreferencePolicy, _ usedFacts: [[FactName]]
  ) -> String {
    switch judged.verdict {
    case .matched(let index): return "rule \"\(policy.rules[index].name)\""
    case .otherwise: return "no rule is true"
    case .undecided(let index):
      let unknown = usedFacts[index].filter { judged.facts[$0] == .unknown }
      return "rule \"\(policy.rules[index].name)\" is undecided, for want of "
        + unknown.map(\.rawValue).joined(separator: ", ")
    case .failed(let message): return "the rules fail: \(message)"
    case .overridden(_, let person): return "by \(person)"
    }
  }
}
