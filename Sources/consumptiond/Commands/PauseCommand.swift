import FoundationEssentials
import PostgreSQL
import Store

/// `consumptiond pause [--app BUNDLE] [--note TEXT]`, `resume [--app BUNDLE]`
struct PauseCommand {
  let config: String?
  /// Nil: all apps.
  let app: String?

  /// - Throws: `data` for an app that is not configured: a slip of the fingers would pause nothing.
  func pause(note: String?, _ output: inout Output) throws(CommandFailure) {
    if let app {
      let known = try configuredApps()
      guard known.contains(app) else {
        let near = Suggestion.nearest(to: app, in: known)
        throw CommandFailure(
          code: .data,
          message: "pause: no app \(Printable.text(app)) is configured; "
            + (near.map { "did you mean \($0)?" } ?? "known: \(known.joined(separator: ", "))"))
      }
    }
    let (isNew, pauses) = try Connecting.queue(config: config, as: .pause) {
      connection throws(PostgresError) in
      let isNew = try Pauses.begin(app, by: Person.name, note: note, on: &connection)
      return (isNew, try Pauses.all(on: &connection))
    }
    if isNew {
      try say(
        "Paused for \(named): nothing is claimed and nothing sent; requests keep their deadlines. "
          + "End it: consumptiond resume\(app.map { " --app \($0)" } ?? "")", &output)
    } else if let pause = pauses.first(where: { $0.bundleId == app }) {
      try say(
        "Paused for \(named) already, by \(pause.person), since "
          + "\(HumanTime.duration(seconds: pause.seconds)); nothing was changed.", &output)
    }
  }

  func resume(_ output: inout Output) throws(CommandFailure) {
    let (wasPaused, left) = try Connecting.queue(config: config, as: .resume) {
      connection throws(PostgresError) in
      (try Pauses.end(app, on: &connection), try Pauses.all(on: &connection))
    }
    try say(wasPaused ? "Resumed for \(named)." : "There was no pause for \(named).", &output)
    for pause in left {
      try say(
        "Still paused for \(pause.bundleId ?? "all apps"), by \(pause.person), since "
          + "\(HumanTime.duration(seconds: pause.seconds)): consumptiond resume"
          + (pause.bundleId.map { " --app \($0)" } ?? ""), &output)
    }
  }

  private var named: String { app ?? "all apps" }

  private func say(_ text: String, _ output: inout Output) throws(CommandFailure) {
    try output.lines(TextWidth.wrapped(Printable.text(text), to: output.width))
  }

  private func configuredApps() throws(CommandFailure) -> [String] {
    do throws(ConfigurationError) {
      return try ConfigurationFile.loadApps(
        config, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw error.failure
    }
  }
}
