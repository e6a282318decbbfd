internal import AppStore
internal import Decision
internal import Store

extension Log {
  /// What a worker decided: ids and the rule's name, no costs and no customers.
  func decided(_ work: Work, _ record: DecisionRecord) {
    if case .failed(let message) = record.judged.verdict {
      self(
        .error, "rule_error", "the rules failed, no preference is sent: \(message)",
        request: work.id, transaction: work.transactionId)
    }
    let rule = record.rule.map { "rule \"\($0)\"" } ?? "no rule"
    self(
      .info, "decided", "\(rule) → \(record.preference?.rawValue ?? "no preference")",
      request: work.id, transaction: work.transactionId)
  }

  /// Where a worker left a request that it did not send.
  func finished(_ id: Int64, _ work: Work?, _ ending: Ending, _ error: String?) {
    let level: Level =
      switch ending {
      case .failed, .missed: .error
      case .waiting: .warning
      case .answered, .observed, .held, .withheld, .settled, .inFlight: .info
      }
    self(
      level, ending.state, [ending.reason, error].compactMap(\.self).joined(separator: ": "),
      request: id, transaction: work?.transactionId)
  }
}
