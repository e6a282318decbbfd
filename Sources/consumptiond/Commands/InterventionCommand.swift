import Decision
import PostgreSQL
import Store

/// `consumptiond retry ID`, `cancel ID`, `answer ID --prefer …`
struct InterventionCommand {
  let config: String?
  let id: String
  let intervention: Intervention

  private enum Outcome {
    /// As the request stood before.
    case done(RequestStanding, pauses: [Pauses.Pause])
    case refused(RequestStanding)
    case several([String])
    case none(RequestRecord.Fate?)
  }

  func run(_ output: inout Output) throws(CommandFailure) {
    let person = Person.name
    let outcome = try Connecting.queue(config: config, as: intervention.command) {
      connection throws(PostgresError) in try intervene(person, on: &connection)
    }
    switch outcome {
    case .none(let fate): throw RequestNaming.failure(id, fate)
    case .several(let texts): throw try RequestNaming.list(texts, id, &output)
    case .refused(let standing): throw Self.refusal(intervention, standing)
    case .done(let standing, let pauses):
      for line in Self.sentences(intervention, standing, person, pauses) {
        try output.lines(TextWidth.wrapped(Printable.text(line), to: output.width))
      }
    }
  }

  private func intervene(
    _ person: String, on connection: inout Connection
  ) throws(PostgresError) -> Outcome {
    let id: Int64
    switch try RequestNaming.find(self.id, on: &connection) {
    case .one(let found): id = found
    case .several(let texts): return .several(texts)
    case .none(let fate): return .none(fate)
    }
    guard let before = try RequestStanding.read(id, on: &connection) else { return .none(nil) }
    let isDone =
      switch intervention {
      case .retry(let redecide):
        try Interventions.retry(id, redecide: redecide, on: &connection)
      case .cancel: try Interventions.cancel(id, by: person, on: &connection)
      case .answer(let choice, let note):
        try Interventions.override(id, choice, by: person, note: note, on: &connection)
      }
    // A worker may have come in between: what is said is about what refused.
    guard isDone else {
      return .refused(try RequestStanding.read(id, on: &connection) ?? before)
    }
    return .done(before, pauses: try Pauses.all(on: &connection))
  }

  /// Why it was not done, and whether it would be later.
  static func refusal(_ intervention: Intervention, _ standing: RequestStanding) -> CommandFailure {
    let id = standing.id
    if standing.isFinal {
      let reason = standing.reason.map { " (\($0))" } ?? ""
      return CommandFailure(
        code: .data,
        message: "\(id) is \(standing.state)\(reason), which is final: nothing changes it")
    }
    switch intervention {
    case .retry(redecide: true) where standing.attempts > 0:
      return CommandFailure(
        code: .data,
        message: "\(id) went out \(times(standing.attempts)) already: a new decision would not be "
          + "the bytes that Apple may have. Without --redecide the same are sent again")
    case .answer where standing.attempts > 0:
      return CommandFailure(
        code: .data,
        message: "\(id) went out \(times(standing.attempts)) already: its answer cannot be "
          + "changed any more")
    case .retry, .answer, .cancel:
      return CommandFailure(
        code: .tryLater, message: "\(id) is being worked on: try again in a moment")
    }
  }

  static func sentences(
    _ intervention: Intervention, _ before: RequestStanding, _ person: String,
    _ pauses: [Pauses.Pause]
  ) -> [String] {
    var sentences: [String] = []
    switch intervention {
    case .cancel:
      sentences.append("\(before.id) is cancelled.")
      if before.attempts > 0 {
        sentences.append(
          "It had gone out \(times(before.attempts)): what Apple took stays with Apple.")
      }
      return sentences
    case .retry(let redecide):
      sentences.append(
        "\(before.id) is ready" + (redecide ? " and will be decided anew" : "")
          + ": a running daemon takes it within seconds.")
    case .answer(let choice, _):
      sentences.append(
        "\(before.id) will be answered by \(person)'s word: \(words(choice)). A running daemon "
          + "takes it within seconds.")
      if before.state == "held", let reason = before.reason, reason != "review" {
        sentences.append(
          "It was held (\(reason)): a preference does not stand in for a customer who consents.")
      }
    }
    if !pauses.isEmpty {
      let apps = pauses.map { $0.bundleId ?? "all apps" }.joined(separator: ", ")
      sentences.append("Paused for \(apps): nothing of that is sent before consumptiond resume.")
    }
    return sentences
  }

  private static func words(_ choice: Choice) -> String {
    switch choice {
    case .none: "no preference"
    case .noAnswer: "no answer at all"
    case .decline, .grantFull, .grantProrated, .review: choice.rawValue
    }
  }

  private static func times(_ count: Int) -> String {
    switch count {
    case 1: "once"
    case 2: "twice"
    default: "\(count) times"
    }
  }
}
