import AppStore
import Foundation
import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("D-01, D-02: kill -9 between claim and record") struct CrashTests {
  /// Where the daemon stands still when it is killed.
  struct Point: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Tables before which it stands one after the other, and their locks; killed at the last.
    let way: [(table: String, mode: String)]
    /// Whether an attempt was written down that never went out; nobody can know that it did not.
    var leavesAttempt = false

    private static let lease = (table: "consumptiond.lease", mode: "EXCLUSIVE")
    private static let account = (table: "account", mode: "ACCESS EXCLUSIVE")
    private static let evidence = (table: "consumptiond.request_evidence", mode: "EXCLUSIVE")
    private static let attempt = (table: "consumptiond.attempt", mode: "EXCLUSIVE")
    private static let consent = (table: "consent", mode: "ACCESS EXCLUSIVE")

    static let all = [
      Point(
        testDescription: "the inbox is claimed",
        way: [("consumptiond.ledger", "EXCLUSIVE")]),
      Point(testDescription: "claiming the request", way: [lease]),
      Point(
        testDescription: "the request is claimed",
        way: [lease, ("consumptiond.request_evidence", "ACCESS EXCLUSIVE")]),
      Point(testDescription: "looking for the customer", way: [account]),
      Point(testDescription: "asking for consent", way: [consent]),
      Point(
        testDescription: "adding up usage", way: [("generation", "ACCESS EXCLUSIVE")]),
      Point(testDescription: "storing the decision", way: [account, evidence]),
      Point(testDescription: "writing down the attempt", way: [attempt]),
      Point(
        testDescription: "asking for consent again", way: [attempt, consent],
        leavesAttempt: true),
    ]
  }

  /// Brings a daemon to that point, with the request claimed, and kills it there.
  private func killAt(_ point: Point, _ bench: Bench) async throws -> Asked {
    let account = try bench.account()
    try bench.use(account.id, dollars: "9")
    let daemon = try bench.daemon()
    // It looks at the tables as it starts; that is another place.
    try await daemon.waitForEvent("started")
    // Each lock is taken before the one in front of it is released.
    var held: TableLock?
    var asked: Asked?
    for (table, mode) in point.way {
      let lock = try TableLock(table, mode: mode, in: bench.database)
      if let held { held.release() } else { asked = try bench.ask(token: account.token) }
      held = lock
      try await until("it stands before \(table)") { try bench.database.isAwaited(table) }
    }
    try await daemon.killHard()
    try await bench.database.endBackends(thatWait: true)
    held?.release()
    return try asked.orThrow("the request")
  }

  @Test("Answered within a minute by the next daemon, once", arguments: Point.all)
  func beforeTheWire(point: Point) async throws {
    try await Bench.run { bench in
      let asked = try await killAt(point, bench)
      #expect(bench.store.requests.isEmpty)
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      #expect(bench.bodies(asked).count == 1)
      #expect(row["refund_preference"] == "DECLINE")
      #expect(row.reason == (point.leavesAttempt ? "repeat" : nil))
      #expect(row.attempts == (point.leavesAttempt ? 2 : 1))
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.lease") == "0")
    }
  }

  @Test("With Apple: the same bytes again, recorded as a repeat", arguments: [true, false])
  func inFlight(isTaken: Bool) async throws {
    try await Bench.run { bench in
      // The first request is never answered; taken or not, nobody can know.
      bench.store.fail(isTaken ? Fault(.loseAnswer, delay: .seconds(2)) : .silence, times: 1)
      let asked = try bench.askHeavy()
      let daemon = try bench.daemon()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      try await daemon.killHard()
      // Usage and rules may change: what was decided stays.
      try bench.use(1, dollars: "1000")
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      #expect(row.reason == "repeat")
      #expect(row["cost"] == "9")
      #expect(row.tries.map { $0["result"]?.string } == ["unknown", "accepted"])
      #expect(row.tries.map { $0["repeat"]?.bool } == [false, true])
      #expect(bench.bodies(asked).count == 2)
      #expect(Set(bench.bodies(asked)).count == 1)
      #expect(bench.store.overlaps.isEmpty)
    }
  }

  @Test("Answered, and killed before that could be recorded")
  func beforeTheRecord() async throws {
    try await Bench.run { bench in
      bench.store.fail(.slow(.seconds(2)), times: 1)
      let asked = try bench.askHeavy()
      let daemon = try bench.daemon()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      let lock = try TableLock("consumptiond.attempt", mode: "EXCLUSIVE", in: bench.database)
      try await until("the result is to be recorded") {
        try bench.database.isAwaited("consumptiond.attempt")
      }
      try await daemon.killHard()
      try await bench.database.endBackends(thatWait: true)
      lock.release()
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      #expect(bench.bodies(asked).count == 2)
      #expect(row.reason == "repeat")
      #expect(Set(bench.bodies(asked)).count == 1)
    }
  }

  @Test("Killed and started again and again: everybody is answered") func often() async throws {
    try await Bench.run { bench in
      bench.store.fail(.slow(.milliseconds(20)))
      var asked: [Asked] = []
      for _ in 0..<6 {
        for _ in 0..<10 { asked.append(try bench.askHeavy()) }
        let daemon = try bench.daemon()
        let seen = bench.store.requests.count
        let came = await bench.store.wait(.seconds(30)) { $0.count > seen }
        #expect(came)
        try await daemon.killHard()
      }
      try bench.daemon()
      for one in asked { try await bench.wait(one, for: "answered", within: .seconds(90)) }
      #expect(bench.store.overlaps.isEmpty)
      for one in asked { #expect(Set(bench.bodies(one)).count == 1) }
    }
  }
}

@Suite("D-04: a daemon that was frozen past its lease") struct FreezeTests {
  @Test("With Apple: one ending, and the frozen one changes nothing") func inFlight() async throws {
    try await Bench.run { bench in
      bench.store.fail(.silence, times: 1)
      let asked = try bench.askHeavy()
      let frozen = try bench.daemon()
      let arrived = await bench.store.wait(.seconds(30)) { !$0.isEmpty }
      #expect(arrived)
      frozen.send(SIGSTOP)
      let other = try bench.daemon()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      #expect(row.reason == "repeat")
      frozen.send(SIGCONT)
      try await frozen.waitForEvent("lease_lost")
      let after = try bench.row(asked.id).orThrow("the row")
      #expect(after.state == "answered")
      #expect(after["answered_at"] == row["answered_at"])
      #expect(after.reason == "repeat")
      #expect(after.tries.map { $0["result"]?.string } == ["unknown", "accepted"])
      #expect(bench.bodies(asked).count == 2)
      // It works on as if nothing had been.
      #expect(try await other.stop() == .exit(0))
      try await bench.wait(bench.askHeavy(), for: "answered")
    }
  }

  @Test("Before the wire: it sends nothing when it wakes") func beforeTheWire() async throws {
    try await Bench.run { bench in
      let account = try bench.account()
      let frozen = try bench.daemon()
      try await frozen.waitForEvent("started")
      let gate = try TableLock("account", in: bench.database)
      let asked = try bench.ask(token: account.token)
      try await until("the customer is looked for") { try bench.database.isAwaited("account") }
      frozen.send(SIGSTOP)
      gate.release()
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      frozen.send(SIGCONT)
      // It works again when it has answered another one.
      let next = try bench.askHeavy()
      try await bench.wait(next, for: "answered")
      let after = try bench.row(asked.id).orThrow("the row")
      #expect(after["answered_at"] == row["answered_at"])
      #expect(after.attempts == 1)
      #expect(bench.bodies(asked).count == 1)
    }
  }
}
