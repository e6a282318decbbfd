import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("Leases and their fence") struct LeaseTests {
  private let database: QueueDatabase

  init() throws { database = try QueueDatabase() }

  /// A worker that lost its lease to another one, with an attempt on the wire or without.
  private func takenOver(
    _ connection: inout Connection, attempt: Bool
  ) throws -> (lost: Work, attempt: Attempts.Begun?, owner: Work) {
    let first = try connection.work(connection.claimed())
    let begun = attempt ? try connection.begin(first) : nil
    try connection.endLeases()
    #expect(try Leases.reap(on: &connection) == [first.id])
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    let second = try connection.work(try #require(claims.first))
    #expect(second.id == first.id)
    #expect(second.token != first.token)
    return (first, begun, second)
  }

  private func record(
    _ attempt: Attempts.Begun, _ work: Work, _ ending: Ending, result: String,
    degrade: Bool = false
  ) -> Statement {
    Attempts.recording(
      Attempts.Record(
        attempt: attempt.id, request: work.id, transaction: work.transactionId,
        environment: work.environment, token: work.token,
        result: result, httpStatus: result == "accepted" ? 202 : nil, appleCode: nil,
        appleMessage: nil, error: nil, ending: ending, lastError: nil, degrade: degrade))
  }

  private func result(_ attempt: Attempts.Begun, on connection: inout Connection) throws -> String?
  {
    try connection.value(
      "SELECT result FROM consumptiond.attempt WHERE id = $1 AND ended_at IS NOT NULL",
      [.int(attempt.id)])
  }

  @Test("What is held is renewed, what is not is told") func renew() throws {
    var connection = try database.connect()
    let claim = try connection.claimed(.seconds(5))
    let stranger = "00000000-0000-0000-0000-000000000000"
    let renewed = try Leases.renew([claim.token, stranger], for: .seconds(45), on: &connection)
    #expect(renewed == [claim.token])
    #expect(
      try connection.value(
        "SELECT until > clock_timestamp() + interval '40 seconds' FROM consumptiond.lease") == "t")
    try connection.endLeases()
    _ = try Leases.reap(on: &connection)
    #expect(try Leases.renew([claim.token], for: .seconds(45), on: &connection) == [])
    #expect(try Leases.renew([], for: .seconds(45), on: &connection) == [])
  }

  @Test("A lease that ran out and was renewed before the reaper came stays") func renewedInTime()
    throws
  {
    var connection = try database.connect()
    let claim = try connection.claimed()
    try connection.endLeases()
    #expect(
      try Leases.renew([claim.token], for: .seconds(45), on: &connection) == [claim.token])
    #expect(try Leases.reap(on: &connection) == [])
    #expect(try connection.state(claim.id) == "working")
  }

  @Test("Unsent work goes back at once") func release() throws {
    var connection = try database.connect()
    let claim = try connection.claimed()
    #expect(try Leases.release([claim.token], on: &connection) == 1)
    #expect(try connection.state(claim.id) == "queued")
    #expect(try Leases.release([claim.token], on: &connection) == 0)
    #expect(try connection.value("SELECT count(*) FROM consumptiond.lease") == "0")
  }

  @Test("D-04: with a stale token nothing is finished, decided or begun") func stale() throws {
    var connection = try database.connect()
    let (lost, _, owner) = try takenOver(&connection, attempt: false)
    for ending in [
      Ending.withheld(reason: "rule"), .held(reason: "no_consent", delay: .seconds(60)),
      .waiting(reason: "retry", delay: .seconds(1)), .failed(reason: "x"), .missed(reason: "x"),
    ] {
      #expect(try connection.run(Finishing.statement(lost, ending)).count == 0, "\(ending)")
    }
    #expect(try connection.begin(lost) == nil)
    #expect(try Leases.release([lost.token], on: &connection) == 0)
    #expect(try connection.state(owner.id) == "working")
    #expect(try connection.state(owner.id, "attempts") == "0")
    #expect(try connection.value("SELECT token FROM consumptiond.lease") == owner.token)
    #expect(
      try connection.run(Finishing.statement(owner, .withheld(reason: "rule"))).count == 1)
    #expect(try connection.state(owner.id) == "withheld")
  }

  @Test("D-03: a late result completes its attempt and moves nothing") func lateResult() throws {
    for (ending, word) in [
      (Ending.waiting(reason: "retry", delay: .seconds(1)), "retry"),
      (.failed(reason: "apple_4000047"), "refused"), (.missed(reason: "x"), "unknown"),
    ] {
      var connection = try database.connect()
      let (lost, attempt, owner) = try takenOver(&connection, attempt: true)
      let begun = try #require(attempt)
      // The reaper could only guess.
      #expect(try result(begun, on: &connection) == "unknown")
      #expect(try connection.run(record(begun, lost, ending, result: word)).count == 0)
      #expect(try result(begun, on: &connection) == word)
      #expect(try connection.state(owner.id) == "working")
      #expect(
        try connection.run(Finishing.statement(owner, .withheld(reason: "rule"))).count == 1)
    }
  }

  @Test("A 202 after a lost lease answers an open request, whoever holds it") func lateAnswer()
    throws
  {
    for state in ["queued", "waiting", "working", "held"] {
      var connection = try database.connect()
      let (lost, attempt, owner) = try takenOver(&connection, attempt: true)
      let begun = try #require(attempt)
      let handedOver: Ending? =
        switch state {
        case "waiting": .waiting(reason: "retry", delay: .seconds(60))
        case "held": .held(reason: "no_consent", delay: .seconds(60))
        default: nil
        }
      if let handedOver { _ = try connection.run(Finishing.statement(owner, handedOver)) }
      if state == "queued" { _ = try Leases.release([owner.token], on: &connection) }
      #expect(try connection.state(owner.id) == state)
      let rows = try connection.run(record(begun, lost, .answered, result: "accepted"))
      #expect(rows.count == 1)
      #expect(try connection.state(owner.id) == "answered")
      #expect(try result(begun, on: &connection) == "accepted")
      // The other worker can neither send nor end it any more.
      if state == "working" {
        #expect(try connection.begin(owner) == nil)
        #expect(
          try connection.run(Finishing.statement(owner, .missed(reason: "x"))).count == 0)
        #expect(try connection.state(owner.id) == "answered")
      }
    }
  }

  @Test("A 202 does not reopen what has ended; the attempt keeps it") func answerAfterTheEnd()
    throws
  {
    var connection = try database.connect()
    let (lost, attempt, owner) = try takenOver(&connection, attempt: true)
    let begun = try #require(attempt)
    _ = try connection.run(Finishing.statement(owner, .missed(reason: "apple_unreachable")))
    #expect(try connection.run(record(begun, lost, .answered, result: "accepted")).count == 0)
    #expect(try connection.state(owner.id) == "missed")
    #expect(try result(begun, on: &connection) == "accepted")
  }

  @Test("A result that is recorded twice changes nothing the second time") func recordedTwice()
    throws
  {
    var connection = try database.connect()
    let work = try connection.work(connection.claimed())
    let begun = try #require(try connection.begin(work))
    let statement = record(begun, work, .answered, result: "accepted")
    #expect(try connection.run(statement).count == 1)
    let before = try connection.state(work.id, "row(request_state.*)::text")
    #expect(try connection.run(statement).count == 0)
    #expect(try connection.state(work.id, "row(request_state.*)::text") == before)
  }

  @Test("Nothing goes out on a lease that is shorter than the request") func shortLease() throws {
    var connection = try database.connect()
    let work = try connection.work(connection.claimed(.seconds(10)))
    #expect(try connection.begin(work) == nil)
    #expect(try connection.state(work.id, "attempts") == "0")
    _ = try Leases.renew([work.token], for: .seconds(45), on: &connection)
    let begun = try #require(try connection.begin(work))
    #expect(begun.number == 1)
    #expect(!begun.isRepeat)
    #expect(try connection.state(work.id, "attempts") == "1")
  }

  @Test("The reaper requeues, and what was on the wire makes the next attempt a repeat")
  func reap() throws {
    var connection = try database.connect()
    let kept = try connection.claimed(transaction: "'kept'")
    _ = try connection.query("UPDATE consumptiond.lease SET until = until + interval '1 hour'")
    let dead = try connection.work(connection.claimed(transaction: "'dead'"))
    let begun = try #require(try connection.begin(dead))
    _ = try connection.query(
      """
      UPDATE consumptiond.lease SET until = clock_timestamp() - interval '1 second'
      WHERE request_id = $1
      """, [.int(dead.id)])
    #expect(try Leases.reap(on: &connection) == [dead.id])
    #expect(try Leases.reap(on: &connection) == [])
    #expect(try connection.state(dead.id) == "queued")
    #expect(try connection.state(kept.id) == "working")
    #expect(try result(begun, on: &connection) == "unknown")
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    let again = try connection.work(try #require(claims.first))
    let second = try #require(try connection.begin(again))
    #expect(second.number == 2)
    #expect(second.isRepeat)
    _ = try connection.run(record(second, again, .answered, result: "accepted"))
    #expect(try connection.state(dead.id, "state_reason") == "repeat")
  }

  @Test("An attempt that surely did not arrive makes no repeat") func noRepeat() throws {
    var connection = try database.connect()
    let work = try connection.work(connection.claimed())
    let first = try #require(try connection.begin(work))
    _ = try connection.run(
      record(first, work, .waiting(reason: "retry", delay: .zero), result: "retry"))
    #expect(try connection.state(work.id) == "waiting")
    #expect(try Requests.promote(on: &connection) == 1)
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    let again = try connection.work(try #require(claims.first))
    let second = try #require(try connection.begin(again))
    #expect(!second.isRepeat)
    _ = try connection.run(record(second, again, .answered, result: "accepted"))
    #expect(try connection.state(work.id, "state_reason") == nil)
  }

  @Test("What an answer was is said: late, repeat, degraded") func reasons() throws {
    var connection = try database.connect()
    let work = try connection.work(connection.claimed())
    let first = try #require(try connection.begin(work))
    _ = try connection.run(
      record(
        first, work, .waiting(reason: "retry", delay: .zero), result: "unknown", degrade: true))
    _ = try connection.query(
      "UPDATE consumptiond.request_state SET deadline = clock_timestamp() - interval '1 second'")
    _ = try Requests.promote(on: &connection)
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    let again = try connection.work(try #require(claims.first))
    #expect(again.late)
    #expect(again.degraded)
    let second = try #require(try connection.begin(again))
    _ = try connection.run(record(second, again, .answered, result: "accepted"))
    #expect(try connection.state(work.id, "state_reason") == "late repeat degraded")
  }

  @Test("What may be with Apple at a shutdown keeps its lease until it runs out") func inFlight()
    throws
  {
    var connection = try database.connect()
    let work = try connection.work(connection.claimed())
    let begun = try #require(try connection.begin(work))
    _ = try connection.run(record(begun, work, .inFlight, result: "unknown"))
    #expect(try connection.state(work.id) == "working")
    #expect(try connection.value("SELECT count(*) FROM consumptiond.lease") == "1")
    try connection.endLeases()
    #expect(try Leases.reap(on: &connection) == [work.id])
    #expect(try connection.state(work.id) == "queued")
  }

  @Test("Recorder and reaper at once never wait for each other in a circle") func noDeadlock()
    throws
  {
    let database = database
    var connection = try database.connect()
    for _ in 0..<40 {
      let work = try connection.work(connection.claimed(transaction: "gen_random_uuid()::text"))
      let begun = try #require(try connection.begin(work))
      try connection.endLeases()
      let statement = record(
        begun, work, .waiting(reason: "retry", delay: .seconds(60)), result: "retry")
      let recorder = Background {
        var connection = try database.connect()
        return try connection.run(statement).count
      }
      let reaper = Background {
        var connection = try database.connect()
        return try Leases.reap(on: &connection).count
      }
      // Whoever comes first has it; both end without an error.
      let recorded = try recorder.value()
      let reaped = try reaper.value()
      #expect(recorded + reaped == 1)
      #expect(try connection.state(work.id) == (recorded == 1 ? "waiting" : "queued"))
      _ = try connection.query(
        "UPDATE consumptiond.request_state SET state = 'cancelled', next_attempt_at = NULL WHERE id = $1",
        [.int(work.id)])
    }
  }
}
