import AppStore

/// The story of a request in plain words, for a support agent: one paragraph, past tense, exact
/// numbers, times in UTC, nobody's name.
///
/// What became of the request afterwards (state, attempts, the next one) is the database's to add.
public enum Explanation {
  public static func paragraph(_ evidence: Evidence) -> String {
    var sentences = RequestStory(evidence).sentences
    if let consent = evidence.consent { sentences.append(sentence(consent)) }
    if let usage = evidence.usage {
      sentences += UsageStory(usage, cost: evidence.decision?.facts[.cost]).sentences
    }
    if let decision = evidence.decision {
      sentences += DecisionStory(decision, currencies: currencies(evidence)).sentences
    }
    return sentences.joined(separator: " ")
  }

  private static func sentence(_ consent: ConsentEvidence) -> String {
    let details = [
      consent.givenAt.map { "given on \(PlainWords.time($0))" },
      consent.source.map { "source \(PlainWords.quoted($0))" },
      consent.version.map { "wording \(PlainWords.quoted($0))" },
    ].compactMap(\.self)
    return "The customer's consent was on record"
      + (details.isEmpty ? "." : ": " + details.joined(separator: ", ") + ".")
  }

  private static func currencies(_ evidence: Evidence) -> DecisionStory.Currencies {
    DecisionStory.Currencies(
      price: evidence.transaction.currency, usage: evidence.usage?.currency,
      sources: evidence.usage?.sources.map(\.source) ?? [])
  }
}
