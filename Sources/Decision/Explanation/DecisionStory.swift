import AppStore

/// Which rules did not match and why, which one did, and what was made of it.
struct DecisionStory {
  /// What the numbers of the facts are counted in.
  struct Currencies {
    let price: String?
    let usage: String?
    let sources: [String]

    func unit(of fact: FactName) -> String? {
      switch fact {
      case .price: price
      case .cost, .priceConverted: usage
      default: sources.contains { FactName.cost(of: $0) == fact } ? usage : nil
      }
    }
  }

  private(set) var sentences: [String] = []
  private let decision: DecisionEvidence
  private let currencies: Currencies

  init(_ decision: DecisionEvidence, currencies: Currencies) {
    self.decision = decision
    self.currencies = currencies
    let rules = decision.policy.preference.rules
    switch decision.verdict {
    case .matched(let index):
      sentences += rules.indices[..<index].map { rule($0, "did not match") }
      sentences.append(rule(index, "matched"))
    case .undecided(let index):
      sentences += rules.indices[..<index].map { rule($0, "did not match") }
      sentences.append(
        rule(index, "could not be decided") + " What is unknown selects no rule.")
    case .otherwise:
      sentences += rules.indices.map { rule($0, "did not match") }
      if rules.isEmpty { sentences.append("There were no rules.") }
    case .overridden(_, let person):
      sentences.append("\(PlainWords.quoted(person)) decided in place of the rules.")
    case .failed(let message):
      sentences.append(
        "The rules could not be evaluated (\(PlainWords.oneLine(message))), so no preference was chosen."
      )
    }
    if decision.wasLeftUndecided {
      sentences.append(
        "It was left to a person, and nobody decided in time, which counts as unknown.")
    }
    sentences.append(conclusion)
    sentences += (decision.answer?.notes ?? []).map(Self.words)
  }

  private func rule(_ index: Int, _ verb: String) -> String {
    let rule = decision.policy.preference.rules[index]
    let used = index < decision.usedFacts.count ? decision.usedFacts[index] : []
    let values = used.map(value).joined(separator: ", ")
    return "Rule \(PlainWords.quoted(rule.name)) (\(PlainWords.oneLine(rule.when))) \(verb)"
      + (values.isEmpty ? "." : ": \(values).")
  }

  private func value(_ fact: FactName) -> String {
    switch decision.facts[fact] {
    case .known(let text):
      "\(fact) was \(PlainWords.value(text))" + (currencies.unit(of: fact).map { " \($0)" } ?? "")
    case .notApplicable: "\(fact) did not apply"
    case .unknown, nil: "\(fact) was unknown"
    }
  }

  /// What was prepared; whether it left the machine is not ours to say.
  private var conclusion: String {
    let why =
      switch decision.verdict {
      case .matched: "By this rule"
      case .otherwise: "As no rule matched"
      case .undecided: "For what is unknown"
      case .failed: "After the error"
      case .overridden: "By this word"
      }
    guard let answer = decision.answer else { return "\(why), no answer was to be sent." }
    let preference =
      switch answer.body.refundPreference {
      case .decline: "the preference to decline the refund (DECLINE)"
      case .grantFull: "the preference to refund all of it (GRANT_FULL)"
      case .grantProrated: "the preference to refund a part of it (GRANT_PRORATED)"
      case nil: "no refund preference"
      }
    let delivery = decision.policy.deliveryStatus.rawValue
    let sample = decision.policy.sampleContentProvided ? "provided" : "not provided"
    return "\(why), the answer was prepared with \(preference), delivery status \(delivery), and "
      + "sample content \(sample)."
  }

  private static func words(_ note: ComposedAnswer.Note) -> String {
    switch note {
    case .proratedWithoutPercentage:
      "GRANT_PRORATED was left out: for this product type Apple takes it only together with a "
        + "consumption percentage, which was not known."
    case .proratedUndelivered:
      "GRANT_PRORATED was left out: for this product type Apple takes it only for what was delivered."
    }
  }
}
