import AppStore
import Daemon
import Decision
import Store

/// What would be answered now, for people and for programs.
struct PreviewPage {
  private let preview: Preview
  private let work: Work
  private let currency: String?
  private let pauses: [Pauses.Pause]

  init(_ preview: Preview, _ work: Work, currency: String?, pauses: [Pauses.Pause]) {
    self.preview = preview
    self.work = work
    self.currency = currency
    self.pauses = pauses
  }

  var json: JSONText {
    let decision = preview.decision
    return .object([
      ("request", work.id == 0 ? .null : .int(work.id)),
      ("bundle_id", .string(work.bundleId)),
      ("environment", .string(work.environment.rawValue)),
      ("transaction_id", .string(work.transactionId)),
      ("deadline", .string(work.deadline.iso8601)),
      ("would_send", .bool(preview.ending == nil && pauses.isEmpty)),
      ("paused", .bool(!pauses.isEmpty)),
      ("state", .optional(preview.ending?.words.state)),
      ("state_reason", .optional(preview.ending?.words.reason)),
      ("last_error", .optional(preview.trouble)),
      ("decided_before", .bool(work.decided)),
      ("customer", .optional(preview.customer)),
      ("consent", preview.consent.map { .raw($0.json) } ?? .null),
      ("period_start", .optional(decision?.period?.start.iso8601)),
      ("period_end", .optional(decision?.period?.end?.iso8601)),
      ("cost", decision?.judged.cost.map { .raw($0) } ?? .null),
      ("currency", .optional(decision == nil ? nil : currency)),
      ("facts", decision.map { .raw($0.judged.json) } ?? .null),
      ("rule", .optional(decision?.rule)),
      ("refund_preference", .optional(decision?.preference?.rawValue)),
      ("body", preview.body.map { .raw($0) } ?? .null),
      ("explanation", .optional(decision?.paragraph)),
    ])
  }

  func lines(_ style: Style, width: Int?) -> [String] {
    var lines = TextWidth.wrapped(headline, to: width).map { style($0, .bold) }
    if let pause = pauses.first {
      lines += TextWidth.wrapped(
        Printable.text("Paused by \(pause.person): nothing is sent before consumptiond resume."),
        to: width
      ).map { style($0, .attention) }
    }
    if let paragraph = preview.decision?.paragraph {
      lines += TextWidth.wrapped(Printable.text(paragraph), to: width)
    }
    lines += [""] + NameTable(fields).lines(style, width: width)
    if let facts = preview.decision.flatMap({ JSONValue(text: $0.judged.json) }) {
      lines += ["", style("Facts", .bold)]
      lines += NameTable(
        JSONFields.list(facts).map { name, value in
          (name, Table.Cell(value == "null" ? "does not apply" : value))
        }
      ).lines(style, width: width)
    }
    return lines
  }

  private var headline: String {
    let name = work.id == 0 ? "This request" : "Request \(work.id)"
    guard let ending = preview.ending else {
      return work.decided
        ? "\(name) is decided: what was decided would go out now."
        : "\(name) would be answered now."
    }
    let provisional = preview.decision == nil ? "" : " Had it to be decided now:"
    return switch ending {
    case .observed: "\(name) would be decided now; nothing is sent: the daemon only observes."
    case .settled: "\(name) would not be answered: Apple has decided already."
    case .withheld(let reason): "\(name) would not be answered, for good: \(words(reason))."
    case .held(let reason): "\(name) would be held: \(words(reason)).\(provisional)"
    case .waiting(let reason, let delay):
      "\(name) would wait"
        + (delay.map { " for \(HumanTime.duration(seconds: $0.components.seconds))" } ?? "")
        + ": \(words(reason)).\(provisional)"
    case .failed(let reason): "\(name) would fail for good: \(words(reason))."
    case .missed(let reason): "\(name) would be missed: \(words(reason))."
    }
  }

  /// The state's reason as it stands, spelled for people.
  private func words(_ reason: String) -> String {
    reason.split(separator: "_").joined(separator: " ")
  }

  private var fields: [(name: String, value: Table.Cell)] {
    let decision = preview.decision
    let left = (work.deadline - work.now).components.seconds
    let cost = decision?.judged.cost.map { "\($0) \(currency ?? "")" }
    let values: [(String, Table.Cell?)] = [
      ("app", .init("\(work.bundleId) (\(work.environment.rawValue))")),
      ("transaction", .init(work.transactionId)),
      (
        "deadline",
        .init(
          "\(HumanTime.utc(work.deadline)), \(HumanTime.due(inSeconds: left))",
          left < 0 ? .bad : .plain)
      ),
      ("trouble", preview.trouble.map { .init($0, .attention) }),
      ("customer", preview.customer.map { .init($0) }),
      ("consent", preview.consent.map { .init($0.json) }),
      ("cost", cost.map { .init($0) }),
      ("decided by", work.override.map { .init("\($0.person), in place of the rules") }),
      ("rule", decision?.rule.map { .init($0) }),
      ("preference", decision?.preference.map { .init($0.rawValue) }),
      ("body", preview.body.map { .init($0) }),
    ]
    return values.compactMap { name, cell in cell.map { (name, $0) } }
  }
}
