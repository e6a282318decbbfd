import AppStore

/// Who asked what, when, and about which charge.
struct RequestStory {
  private(set) var sentences: [String] = []

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
