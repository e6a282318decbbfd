import AppStore

/// One request whole, for people: the story, what it says in fields, the facts, the attempts.
struct RequestPage {
  private let request: JSONValue

  /// - Parameter text: the view's columns and `tries`, as PostgreSQL prints them. Nil when a number
  ///   in it is larger than any decimal.
  init?(_ text: String) {
    guard let request = JSONValue(text: text) else { return nil }
    self.request = request
  }

  /// Several requests that one word named.
  static func list(_ pages: [RequestPage], _ style: Style, width: Int?) -> [String] {
    var table = Table([
      .init(title: "ID", isNumber: true), .init(title: "STATE"),
      .init(title: "ENVIRONMENT"), .init(title: "TRANSACTION", cutTo: 12),
      .init(title: "SIGNED"),
    ])
    for page in pages {
      table.append([
        .init(page.text("id")), page.stateCell, .init(page.text("environment")),
        .init(page.text("transaction_id")), .init(page.time("signed_at") ?? ""),
      ])
    }
    return table.lines(style, width: width)
  }

  func lines(_ style: Style, width: Int?, now: Instant) -> [String] {
    var lines = [
      style("Request \(text("id"))", .bold) + "  " + style(stateCell.text, stateCell.tone)
    ]
    lines += TextWidth.wrapped(Printable.text(text("explanation")), to: width)
    lines += [""] + NameTable(fields(now)).lines(style, width: width)
    if let facts = request["facts"] {
      lines += ["", style("Facts", .bold)]
      let rows = JSONFields.list(facts).map { name, value in
        (name, Table.Cell(value == "null" ? "does not apply" : value))
      }
      lines += rows.isEmpty ? ["none is known"] : NameTable(rows).lines(style, width: width)
    }
    if let tries = request["tries"]?.list, !tries.isEmpty {
      lines += ["", style("Attempts", .bold)]
      lines += attempts(tries).lines(style, width: width)
    }
    return lines
  }

  private var stateCell: Table.Cell {
    let state = text("state")
    let reason = text("state_reason")
    return .init(reason.isEmpty ? state : "\(state) (\(reason))", Style.tone(ofState: state))
  }

  /// What is known, in the order of the way of a request; what is null is left out.
  private func fields(_ now: Instant) -> [(name: String, value: Table.Cell)] {
    let due = deadline(now)
    let values: [(String, Table.Cell?)] = [
      ("app", cell("bundle_id", then: "environment")),
      ("product", cell("product_id", then: "product_type")),
      ("transaction", cell("transaction_id")),
      ("original transaction", cell("original_transaction_id")),
      ("notification", cell("notification_uuid")), ("reason", cell("reason")),
      ("signed", time("signed_at").map { .init($0) }),
      ("received", time("received_at").map { .init($0) }), ("deadline", due),
      ("next attempt", nextAttempt(now)),
      ("customer", cell("customer")), ("consent", cell("consent")),
      ("period", period), ("billing plan", cell("billing_plan", then: "billing_period_number")),
      ("cost", cell("cost", then: "currency", parentheses: false)), ("rule", cell("rule")),
      ("preference", cell("refund_preference")), ("body", cell("body")),
      ("last error", cell("last_error").map { .init($0.text, .attention) }),
      ("answered", time("answered_at").map { .init($0) }),
    ]
    return values.compactMap { name, cell in cell.map { (name, $0) } }
  }

  private func deadline(_ now: Instant) -> Table.Cell? {
    guard let deadline = Instant(iso8601: text("deadline")) else { return nil }
    let isOpen = ["queued", "waiting", "working", "held"].contains(text("state"))
    guard isOpen else { return .init(HumanTime.utc(deadline)) }
    let left = (deadline - now).components.seconds
    return .init(
      "\(HumanTime.utc(deadline)), \(HumanTime.due(inSeconds: left))", left < 0 ? .bad : .plain)
  }

  private func nextAttempt(_ now: Instant) -> Table.Cell? {
    guard let at = Instant(iso8601: text("next_attempt_at")) else { return nil }
    let left = (at - now).components.seconds
    return .init("\(HumanTime.utc(at)), \(HumanTime.relative(toSeconds: left))")
  }

  private var period: Table.Cell? {
    guard let start = time("period_start") else { return nil }
    let position = text("period_position")
    return .init(
      "\(start) to \(time("period_end") ?? "no end")" + (position.isEmpty ? "" : ", \(position)"))
  }

  private func attempts(_ tries: [JSONValue]) -> Table {
    var table = Table([
      .init(title: "#", isNumber: true), .init(title: "STARTED (UTC)"),
      .init(title: "TOOK", isNumber: true),
      .init(title: "RESULT"), .init(title: "HTTP", isNumber: true),
      .init(title: "SAID", cutTo: 8),
    ])
    for attempt in tries {
      let page = RequestPage(attempt)
      let result = page.text("result")
      let tone: Style.Tone =
        switch result {
        case "accepted": .good
        case "": .plain
        default: .attention
        }
      let said = [page.text("apple_code"), page.text("apple_message"), page.text("error")]
        .filter { !$0.isEmpty }.joined(separator: " ")
      let repeated = page.text("repeat") == "true" ? "repeat " : ""
      table.append([
        .init(page.text("number")),
        .init(page.time("started_at").map { String($0.prefix(19)) } ?? ""), .init(page.took),
        .init(result.isEmpty ? "in flight" : result, tone), .init(page.text("http_status")),
        .init(repeated + said),
      ])
    }
    return table
  }

  private init(_ request: JSONValue) { self.request = request }

  private var took: String {
    guard let start = Instant(iso8601: text("started_at")),
      let end = Instant(iso8601: text("ended_at"))
    else { return "" }
    return "\(Int64((end - start) / .milliseconds(1))) ms"
  }

  /// Null and absent are the empty text.
  private func text(_ key: String) -> String { request[key].map(JSONFields.text) ?? "" }

  private func time(_ key: String) -> String? {
    request[key].map { HumanTime.utc(JSONFields.text($0)) }
  }

  /// `value`, or `value (second)`.
  private func cell(_ key: String, then second: String? = nil, parentheses: Bool = true) -> Table
    .Cell?
  {
    guard request[key] != nil else { return nil }
    let more = second.map(text) ?? ""
    guard !more.isEmpty else { return .init(text(key)) }
    return .init(parentheses ? "\(text(key)) (\(more))" : "\(text(key)) \(more)")
  }
}
