import Store

/// One thing that is wrong, and what to do about it.
struct StatusProblem: Equatable {
  /// A stable word for machines.
  let name: String
  let isBad: Bool
  /// What is wrong, and which command comes next.
  let sentence: String
  /// Whether a probe should call somebody.
  var isAlarming = false

  /// How long a payload may lie unread before somebody should wonder.
  static let patience: Int64 = 60

  /// The worst first; empty: nothing is wrong.
  static func all(_ report: StatusReport) -> [StatusProblem] {
    [
      paused(report), unread(report), late(report), missed(report), failed(report),
      noDaemon(report), stalled(report),
      troubled(report), held(report), rejected(report),
    ].compactMap(\.self)
  }

  private static func paused(_ report: StatusReport) -> StatusProblem? {
    guard let first = report.pauses.first else { return nil }
    let pauses = report.pauses.map { pause in
      "\(pause.bundleId ?? "all apps") by \(pause.person) for "
        + HumanTime.duration(seconds: pause.seconds)
        + (pause.note.isEmpty ? "" : " (\(pause.note))")
    }
    return StatusProblem(
      name: "paused", isBad: true,
      sentence: "Paused: \(pauses.joined(separator: ", ")). Nothing is sent, and deadlines go on. "
        + "End it: consumptiond resume" + (first.bundleId.map { " --app \($0)" } ?? ""),
      isAlarming: true)
  }

  private static func unread(_ report: StatusReport) -> StatusProblem? {
    guard let oldest = report.oldestUnreadSeconds, oldest > patience else { return nil }
    return StatusProblem(
      name: "unread", isBad: true,
      sentence: "\(count(report.unread, "payload")) unread, the oldest for "
        + "\(HumanTime.duration(seconds: oldest)): nobody reads the inbox. Is consumptiond run up, "
        + "and what does its log say?", isAlarming: true)
  }

  private static func late(_ report: StatusReport) -> StatusProblem? {
    let late = report.open.filter { $0.late || $0.secondsLeft < 0 }
    guard let first = late.first else { return nil }
    return StatusProblem(
      name: "late", isBad: true,
      sentence: "\(count(Int64(late.count), "open request")) past the deadline; each is tried once "
        + "more. See: consumptiond show \(first.id)", isAlarming: true)
  }

  private static func missed(_ report: StatusReport) -> StatusProblem? {
    guard report.missedLastWeek > 0 else { return nil }
    let newest = report.lost.first { $0.state == "missed" }
    return StatusProblem(
      name: "missed", isBad: true,
      sentence: "\(count(report.missedLastWeek, "request")) missed the deadline in the last 7 days."
        + see(newest), isAlarming: report.missedLastDay > 0)
  }

  private static func failed(_ report: StatusReport) -> StatusProblem? {
    let failed = report.lost.filter { $0.state == "failed" }
    guard let newest = failed.first else { return nil }
    return StatusProblem(
      name: "failed", isBad: true,
      sentence: "\(count(Int64(failed.count), "request")) failed for good in the last 7 days."
        + see(newest), isAlarming: report.failedLastDay > 0)
  }

  private static func noDaemon(_ report: StatusReport) -> StatusProblem? {
    guard report.daemonConnections == 0 else { return nil }
    let isNeeded = !report.open.isEmpty || report.unread > 0
    return StatusProblem(
      name: "no_daemon", isBad: isNeeded,
      sentence: "No daemon is connected to this database, or it goes by another "
        + "application_name. Start one: consumptiond run", isAlarming: isNeeded)
  }

  private static func stalled(_ report: StatusReport) -> StatusProblem? {
    let overdue = report.open.filter { ($0.secondsToNextAttempt ?? 0) < -patience }
    guard report.daemonConnections > 0, let first = overdue.first else { return nil }
    return StatusProblem(
      name: "stalled", isBad: true,
      sentence: "\(count(Int64(overdue.count), "request")) should have been looked at again more "
        + "than a minute ago: does the daemon that is connected serve \(first.bundleId) in "
        + "\(first.environment), and what does its log say?", isAlarming: true)
  }

  private static func troubled(_ report: StatusReport) -> StatusProblem? {
    let troubled = report.open.filter { !$0.lastError.isEmpty }
    guard let first = troubled.first else { return nil }
    return StatusProblem(
      name: "errors", isBad: false,
      sentence: "\(count(Int64(troubled.count), "open request")) had trouble, "
        + "\(first.id) last: \(first.lastError). See: consumptiond show \(first.id)")
  }

  private static func held(_ report: StatusReport) -> StatusProblem? {
    let unclear = report.open.filter {
      $0.state == "held" && ["consent_ambiguous", "customer_ambiguous"].contains($0.reason)
    }
    guard let first = unclear.first else { return nil }
    return StatusProblem(
      name: "ambiguous", isBad: false,
      sentence: "\(count(Int64(unclear.count), "request")) held because a query returns more than "
        + "one row: mend the data or the query. See: consumptiond show \(first.id)")
  }

  private static func rejected(_ report: StatusReport) -> StatusProblem? {
    guard report.rejectedLastDay > 0 else { return nil }
    let newest = report.rejected.max { $0.newestAt < $1.newestAt }
    return StatusProblem(
      name: "rejected", isBad: false,
      sentence: "\(count(report.rejectedLastDay, "payload")) rejected in the last 24 hours"
        + (newest.map { ", \($0.newestId) last: \($0.reason): \($0.newestDetail)" } ?? "") + ".")
  }

  private static func see(_ newest: StatusReport.LostRequest?) -> String {
    guard let newest else { return "" }
    let why = newest.lastError.isEmpty ? newest.reason : "\(newest.reason): \(newest.lastError)"
    return " The newest: \(newest.id), \(why). See: consumptiond show \(newest.id)"
  }

  /// `1 request`, `2 requests`
  private static func count(_ number: Int64, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
