internal import Store

/// What the log says of pauses: when one begins and ends, and every ten minutes that it lasts. A
/// pause that was forgotten costs requests.
struct PauseWatch {
  private var known: [String?: ContinuousClock.Instant] = [:]

  private static let reminder = Duration.seconds(600)

  enum Event: Equatable {
    case paused(Pauses.Pause)
    /// Nil: the pause of all apps.
    case resumed(bundleId: String?)
  }

  /// - Parameter pauses: those that last now.
  mutating func look(_ pauses: [Pauses.Pause], now: ContinuousClock.Instant) -> [Event] {
    var events: [Event] = []
    let lasting = Set(pauses.map(\.bundleId))
    for bundleId in known.keys where !lasting.contains(bundleId) {
      known[bundleId] = nil
      events.append(.resumed(bundleId: bundleId))
    }
    for pause in pauses {
      if let said = known[pause.bundleId], now - said < Self.reminder { continue }
      known.updateValue(now, forKey: pause.bundleId)
      events.append(.paused(pause))
    }
    return events
  }
}

extension Log {
  func paused(_ event: PauseWatch.Event) {
    switch event {
    case .paused(let pause):
      let note = pause.note.isEmpty ? "" : " (\(pause.note))"
      self(
        .warning, "paused",
        "paused for \(pause.bundleId ?? "all apps") by \(pause.person)\(note), since "
          + "\(pause.seconds) s: nothing is sent, and deadlines go on. End it: consumptiond resume"
          + (pause.bundleId.map { " --app \($0)" } ?? ""))
    case .resumed(let bundleId):
      self(.info, "resumed", "the pause of \(bundleId ?? "all apps") is over")
    }
  }
}
