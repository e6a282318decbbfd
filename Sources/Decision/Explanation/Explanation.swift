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

/// Who asked what, when, and about which charge.
private struct RequestStory {
  var sentences: [String] = []

  init(_ evidence: Evidence) {
    let transaction = evidence.transaction
    let reason = evidence.reason.map { "with the reason \(PlainWords.word($0))" }
    let sandbox = transaction.environment == .sandbox ? " in the Sandbox" : ""
    sentences.append(
      "Apple reported on \(PlainWords.time(evidence.signedAt)) that the customer had asked for a "
        + "refund of \(PlainWords.quoted(transaction.productId)) "
        + "(\(PlainWords.word(transaction.type)), transaction \(PlainWords.word(transaction.transactionId)))"
        + "\(sandbox), \(reason ?? "without a reason").")
    var charge = "It had been bought on \(PlainWords.time(transaction.purchaseDate))"
    if let price = transaction.price, let currency = transaction.currency {
      charge += " for \(PlainWords.units(milliunits: price)) \(PlainWords.word(currency))"
    } else {
      charge += "; Apple stated no price"
    }
    sentences.append(charge + Self.period(evidence) + ".")
  }

  private static func period(_ evidence: Evidence) -> String {
    guard let period = BillingPeriod(evidence.transaction) else {
      return ", and its dates did not make a billing period"
    }
    guard let end = period.end else { return ", without an end" }
    var text = ", for the time until \(PlainWords.time(end))"
    let commitment = evidence.transaction.commitment
    if let number = commitment?.billingPeriodNumber, let total = commitment?.totalBillingPeriods {
      text += " (billing period \(number) of \(total))"
    }
    switch evidence.position {
    case .current: text += ", the newest billing period"
    case .past: text += ", an earlier billing period"
    case .unknown, .notApplicable: break
    }
    return text
  }
}

/// What the usage tables said.
private struct UsageStory {
  var sentences: [String] = []

  init(_ usage: UsageEvidence, cost: FactValue?) {
    guard let window = usage.window else {
      sentences.append("No usage was counted, because the period was not known.")
      return
    }
    guard !usage.sources.isEmpty else { return }
    let sources = usage.sources.map { Self.clause($0, usage.currency) }
    let total = cost?.text.map { "cost \($0) \(usage.currency)" } ?? "had an unknown cost"
    sentences.append(
      "Usage from \(PlainWords.time(window.start)) until \(PlainWords.time(window.until)) \(total): "
        + sources.joined(separator: "; ") + ".")
  }

  private static func clause(_ source: SourceUsage, _ currency: String) -> String {
    let quantity = source.quantity.text
    let cost = source.cost.text
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
    case .error(let sqlState): "the query failed with SQLSTATE \(PlainWords.word(sqlState))"
    case .unavailable: "the database was not reachable"
    }
  }
}
