import Store

/// `status` for people: whether something is wrong, what is open, how it went.
struct StatusPage {
  private let report: StatusReport

  /// How many open requests people see.
  private static let shown = 20

  init(_ report: StatusReport) { self.report = report }

  func lines(_ style: Style, width: Int?) -> [String] {
    (problems(style, width) + open(style, width) + states(style, width)).flatMap(\.self)
  }

  private func problems(_ style: Style, _ width: Int?) -> [[String]] {
    let problems = StatusProblem.all(report)
    guard !problems.isEmpty else { return [[style("All is well.", .good) + " " + inbox]] }
    let paragraphs = problems.map { problem in
      let mark = problem.isBad ? style("!!", .bad) : style(" !", .attention)
      let wrapped = TextWidth.wrapped(
        Printable.text(problem.sentence), to: width.map { $0 - 3 })
      return wrapped.enumerated().map { $0 == 0 ? "\(mark) \($1)" : "   \($1)" }
    }
    return paragraphs
  }

  private var inbox: String {
    report.unread == 0
      ? "Nothing is unread." : "\(report.unread) unread, for less than a minute."
  }

  private func open(_ style: Style, _ width: Int?) -> [[String]] {
    guard !report.open.isEmpty else { return [["", "No request is open."]] }
    var table = Table([
      .init(title: "ID", isNumber: true), .init(title: "DUE"), .init(title: "STATE", cutTo: 12),
      .init(title: "TRANSACTION"),
      .init(title: "NEXT"), .init(title: "LAST ERROR", cutTo: 0),
    ])
    for request in report.open.prefix(Self.shown) {
      table.append([
        "\(request.id)", due(request),
        .init(
          [request.state, request.reason].filter { !$0.isEmpty }.joined(separator: " "),
          Style.tone(ofState: request.state)),
        .init(request.transactionId + (request.environment == "Sandbox" ? " sandbox" : "")),
        .init(request.secondsToNextAttempt.map { HumanTime.coarse(toSeconds: $0) } ?? ""),
        .init(request.lastError),
      ])
    }
    let total = openTotal
    let more = total > Self.shown ? ["… and \(total - Self.shown) more"] : []
    return [
      ["", style("Open: \(total)", .bold)], table.lines(style, width: width), more,
    ]
  }

  private var openTotal: Int {
    let states = report.states.filter { Self.openStates.contains($0.state) }
    return max(report.open.count, states.reduce(0) { $0 + Int($1.requests) })
  }

  private static let openStates = ["queued", "waiting", "working", "held"]

  private func due(_ request: StatusReport.OpenRequest) -> Table.Cell {
    let seconds = request.secondsLeft
    let text = HumanTime.due(inSeconds: seconds)
    let tone: Style.Tone =
      seconds < 0
      ? .bad
      : seconds < (request.environment == "Sandbox" ? 60 : 3600)
        ? .attention
        : .plain
    return .init(text.hasPrefix("due ") ? String(text.dropFirst(4)) : text, tone)
  }

  private func states(_ style: Style, _ width: Int?) -> [[String]] {
    guard !report.states.isEmpty else { return [] }
    var table = Table([
      .init(title: "STATE"), .init(title: "WHY", cutTo: 8),
      .init(title: "REQUESTS", isNumber: true),
    ])
    for state in report.states {
      table.append([
        .init(state.state, Style.tone(ofState: state.state)), .init(state.reason),
        "\(state.requests)",
      ])
    }
    return [["", style("All requests", .bold)], table.lines(style, width: width)]
  }
}
