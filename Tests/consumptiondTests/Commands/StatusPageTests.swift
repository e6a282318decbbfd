import AppStore
import Testing

@testable import Store
@testable import consumptiond

@Suite("What status makes of a report")
struct StatusPageTests {
  private func request(
    _ id: Int64, _ state: String = "waiting", _ reason: String = "retry", left: Int64 = 40_000,
    next: Int64? = 30, late: Bool = false, error: String = "", environment: String = "Production"
  ) -> StatusReport.OpenRequest {
    StatusReport.OpenRequest(
      id: id, bundleId: "com.example.app", environment: environment, transactionId: "20\(id)",
      state: state, reason: reason, late: late, deadline: .now() + .seconds(left),
      secondsLeft: left, attempts: 0, nextAttemptAt: next.map { .now() + .seconds($0) },
      secondsToNextAttempt: next, lastError: error)
  }

  private func lost(_ id: Int64, _ state: String, error: String = "") -> StatusReport.LostRequest {
    StatusReport.LostRequest(
      id: id, bundleId: "com.example.app", environment: "Production", transactionId: "20\(id)",
      state: state, reason: "apple_unreachable", deadline: .now(), lastError: error)
  }

  private func report(
    open: [StatusReport.OpenRequest] = [], lost: [StatusReport.LostRequest] = [],
    unread: Int64 = 0, oldest: Int64? = nil, missed: Int64 = 0, daemons: Int64 = 7,
    states: [StatusReport.States] = []
  ) -> StatusReport {
    StatusReport(
      states: states, open: open, lost: lost, rejected: [], unread: unread,
      oldestUnreadSeconds: oldest, rejectedLastDay: 0, missedLastWeek: missed,
      daemonConnections: daemons, schemaVersion: 1, pauses: [], missedLastDay: 0, failedLastDay: 0)
  }

  private func problems(_ report: StatusReport) -> [String] {
    StatusProblem.all(report).map(\.name)
  }

  @Test("nothing is wrong")
  func calm() {
    let calm = report(open: [request(1)], unread: 2, oldest: 3)
    #expect(problems(calm).isEmpty)
    #expect(
      StatusPage(calm).lines(.plain, width: 80) == [
        "All is well. 2 unread, for less than a minute.", "", "Open: 1",
        "ID  DUE            STATE          TRANSACTION  NEXT     LAST ERROR",
        " 1  in 11 h 6 min  waiting retry  201          in 30 s",
      ])
  }

  @Test("each thing that is wrong, alone")
  func each() {
    #expect(problems(report(unread: 1, oldest: 61)) == ["unread"])
    #expect(problems(report(unread: 1, oldest: 60)) == [])
    #expect(problems(report(open: [request(1, left: -5)])) == ["late"])
    #expect(problems(report(lost: [lost(1, "missed")], missed: 1)) == ["missed"])
    #expect(problems(report(lost: [lost(1, "failed")])) == ["failed"])
    #expect(problems(report(daemons: 0)) == ["no_daemon"])
    #expect(problems(report(open: [request(1, next: -61)])) == ["stalled"])
    #expect(problems(report(open: [request(1, next: -60)])) == [])
    #expect(problems(report(open: [request(1, error: "HTTP 503")])) == ["errors"])
    #expect(problems(report(open: [request(1, "held", "customer_ambiguous")])) == ["ambiguous"])
  }

  @Test("what is wrong comes with the command that is next, wrapped to the terminal")
  func next() {
    let page = StatusPage(
      report(
        open: [request(3, left: -200, late: true)],
        lost: [lost(9, "missed", error: "HTTP 503\u{1B}[2J")], missed: 2, daemons: 0))
    let lines = page.lines(.plain, width: 60)
    #expect(
      lines.prefix(6) == [
        "!! 1 open request past the deadline; each is tried once",
        "   more. See: consumptiond show 3",
        "!! 2 requests missed the deadline in the last 7 days. The",
        "   newest: 9, apple_unreachable: HTTP 503\\u{1b}[2J. See:",
        "   consumptiond show 9",
        "!! No daemon is connected to this database, or it goes by",
      ])
    #expect(lines.contains { $0.hasPrefix(" 3  late by 3 min 20 s") })
  }

  @Test("people see the first 20, and how many more there are")
  func many() {
    let page = StatusPage(
      report(
        open: (1...30).map { request($0, environment: "Sandbox") },
        states: [.init(state: "waiting", reason: "retry", requests: 1234)]))
    let lines = page.lines(.plain, width: 80)
    #expect(lines.contains("Open: 1234"))
    #expect(lines.contains("… and 1214 more"))
    #expect(lines.count { $0.contains(" sandbox") } == 20)
  }
}
