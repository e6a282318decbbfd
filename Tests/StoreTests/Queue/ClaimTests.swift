import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("Claiming") struct ClaimTests {
  private let database: QueueDatabase

  init() throws { database = try QueueDatabase() }

  private func claim(
    _ served: [Requests.Served] = [QueueDatabase.app], atMost limit: Int = 16,
    on connection: inout Connection
  ) throws -> [Int64] {
    try Requests.claim(served, atMost: limit, lease: .seconds(45), on: &connection).map(\.id)
  }

  /// What all workers of the test see of each other.
  private struct Floor {
    var active: Set<String> = []
    var doubles = 0
    var isOver = false
    var finished: [Int64] = []
  }

  @Test(
    "D-11: eight workers, 500 requests for 200 transactions: never two of one at once, each once")
  func contention() throws {
    var connection = try database.connect()
    let ids = try connection.insertRequests(
      500, transaction: "'t' || $1 % 200",
      deadline: "now() + interval '11 hours' - $1 % 7 * interval '1 minute'")
    let transactions = Dictionary(
      uniqueKeysWithValues: try connection.query(
        "SELECT id, transaction_id FROM consumptiond.request_state"
      ).map { (try $0.int64("id"), try $0.string("transaction_id")) })
    let floor = Locked(Floor())
    let database = database
    let workers = (0..<8).map { _ in
      Background {
        defer { floor.withLock { $0.isOver = true } }
        var connection = try database.connect()
        while !floor.withLock({ $0.isOver || $0.finished.count == 500 }) {
          try Self.work(transactions, floor, on: &connection)
        }
      }
    }
    for worker in workers { try worker.value(within: .seconds(60)) }
    let result = floor.withLock { $0 }
    #expect(result.doubles == 0)
    #expect(result.finished.sorted() == ids)
    #expect(try connection.value("SELECT count(*) FROM consumptiond.lease") == "0")
  }

  private static func work(
    _ transactions: [Int64: String], _ floor: Locked<Floor>, on connection: inout Connection
  ) throws {
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    floor.withLock { floor in
      for claim in claims {
        if !floor.active.insert(transactions[claim.id] ?? "").inserted { floor.doubles += 1 }
      }
    }
    for claim in claims {
      floor.withLock { _ = $0.active.remove(transactions[claim.id] ?? "") }
      let rows = try connection.run(Finishing.statement(claim, .withheld(reason: "rule")))
      if rows.count == 1 { floor.withLock { $0.finished.append(claim.id) } }
    }
  }

  /// As the daemon's recorder does it: several results in one transaction.
  private static func record(
    _ claims: [Requests.Claim], on connection: inout Connection
  ) throws {
    var records: [Attempts.Record] = []
    for claim in claims {
      let work = try connection.work(claim)
      guard let attempt = try connection.begin(work) else { continue }
      records.append(
        Attempts.Record(
          attempt: attempt.id, request: claim.id, transaction: work.transactionId,
          environment: work.environment,
          token: claim.token, result: "refused", httpStatus: 400, appleCode: nil,
          appleMessage: nil, error: nil, ending: .failed(reason: "apple_refused"),
          lastError: nil, degrade: false))
    }
    let groups =
      [["BEGIN"], [Attempts.locking(records)]] + records.map { [Attempts.recording($0)] }
      + [["COMMIT"]]
    for result in try connection.pipeline(groups) { _ = try result.get() }
  }

  @Test("Claiming, finishing, recording, renewing, reaping and handing back never wait in a circle")
  func noDeadlock() throws {
    let database = database
    var connection = try database.connect()
    _ = try connection.insertRequests(800, transaction: "'t' || $1 % 12")
    let end = ContinuousClock.now + .seconds(4)
    let workers = (0..<8).map { number in
      Background {
        var connection = try database.connect()
        var done = 0
        while ContinuousClock.now < end {
          let claims = try Requests.claim(
            [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
          switch number % 4 {
          case 0:
            for claim in claims {
              _ = try connection.run(Finishing.statement(claim, .withheld(reason: "rule")))
            }
          case 1: _ = try Leases.release(claims.map(\.token), on: &connection)
          case 2: try Self.record(claims, on: &connection)
          default:
            try connection.endLeases(claims)
            _ = try Leases.reap(on: &connection)
          }
          done += claims.count
        }
        return done
      }
    }
    // A lease keeper renews what others are about to end.
    let keeper = Background {
      var connection = try database.connect()
      while ContinuousClock.now < end {
        let tokens = try connection.values("SELECT token FROM consumptiond.lease ORDER BY random()")
        _ = try Leases.renew(tokens, for: .seconds(45), on: &connection)
      }
    }
    let counts = try workers.map { try $0.value() }
    #expect(counts.reduce(0, +) > 20, "\(counts)")
    try keeper.value()
  }

  @Test("D-11: one request for eight workers is one worker's") func one() throws {
    let database = database
    var connection = try database.connect()
    for _ in 0..<25 {
      let id = try connection.insertRequests(transaction: "gen_random_uuid()::text")[0]
      let workers = (0..<8).map { _ in
        Background {
          var connection = try database.connect()
          return try Requests.claim(
            [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
        }
      }
      let claims = try workers.flatMap { try $0.value() }
      #expect(claims.map(\.id) == [id])
    }
  }

  @Test("B-01: five requests for one transaction go one after the other, the earliest first")
  func oneTransaction() throws {
    var connection = try database.connect()
    let ids = try connection.insertRequests(
      5, transaction: "'t'", deadline: "now() + $1 * interval '1 hour'")
    for id in ids {
      let claims = try Requests.claim(
        [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
      #expect(claims.map(\.id) == [id])
      #expect(try claim(on: &connection) == [])
      _ = try connection.run(
        Finishing.statement(try #require(claims.first), .withheld(reason: "rule")))
    }
    #expect(try claim(on: &connection) == [])
  }

  @Test("The same transaction id in two environments is two transactions") func environments()
    throws
  {
    var connection = try database.connect()
    let production = try connection.insertRequests(transaction: "'t'")
    let sandbox = try connection.insertRequests(app: QueueDatabase.sandbox, transaction: "'t'")
    let claimed = try claim([QueueDatabase.app, QueueDatabase.sandbox], on: &connection)
    #expect(Set(claimed) == Set(production + sandbox))
  }

  @Test("First those that can still be saved, then by deadline, then by id") func order() throws {
    var connection = try database.connect()
    let late = try connection.insertRequests(
      transaction: "'late' || $1", deadline: "now() - interval '1 hour'", changes: "late = true")
    let last = try connection.insertRequests(
      transaction: "'last' || $1", deadline: "now() + interval '3 hours'")
    let twins = try connection.insertRequests(
      2, transaction: "'twin' || $1", deadline: "date_trunc('day', now()) + interval '26 hours'")
    _ = try connection.query(
      """
      UPDATE consumptiond.request_state SET deadline = now() + interval '2 hours'
      WHERE id = ANY ($1::bigint[])
      """, [.array(twins)])
    let first = try connection.insertRequests(
      app: QueueDatabase.other, transaction: "'first' || $1",
      deadline: "now() + interval '1 hour'")
    let served = [QueueDatabase.app, QueueDatabase.other]
    for expected in first + twins + last + late {
      #expect(try claim(served, atMost: 1, on: &connection) == [expected])
    }
  }

  @Test("A worker loads its claims in the order in which they are due") func loading() throws {
    var connection = try database.connect()
    let ids = try connection.insertRequests(
      6, deadline: "now() + interval '11 hours' - $1 * interval '1 minute'")
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    let loaded = try Requests.load(claims, on: &connection).map { try $0.get().id }
    #expect(loaded == ids.reversed())
  }

  @Test("A stored transaction that cannot be read back costs itself alone") func unreadable() throws
  {
    var connection = try database.connect()
    let ids = try connection.insertRequests(3)
    _ = try connection.query(
      "UPDATE consumptiond.request_evidence SET transaction = '[]' WHERE id = $1", [.int(ids[1])])
    let claims = try Requests.claim(
      [QueueDatabase.app], atMost: 16, lease: .seconds(45), on: &connection)
    var readable: [Int64] = []
    var unreadable: [Int64] = []
    for result in try Requests.load(claims, on: &connection) {
      switch result {
      case .success(let work): readable.append(work.id)
      case .failure(let error): unreadable.append(error.claim.id)
      }
    }
    #expect(Set(readable) == [ids[0], ids[2]])
    #expect(unreadable == [ids[1]])
  }

  @Test("A backlog of 5,000 blocks no other app") func backlog() throws {
    var connection = try database.connect()
    _ = try connection.insertRequests(5000, deadline: "now() + interval '2 hours'")
    let urgent = try connection.insertRequests(
      app: QueueDatabase.other, transaction: "'u' || $1", deadline: "now() + interval '1 hour'")
    #expect(try claim([QueueDatabase.other], on: &connection) == urgent)
    let next = try connection.insertRequests(
      app: QueueDatabase.other, transaction: "'v' || $1", deadline: "now() + interval '1 hour'")
    let both = [QueueDatabase.app, QueueDatabase.other]
    #expect(try claim(both, atMost: 1, on: &connection) == next)
  }

  @Test("Thousands that wait for one leased transaction hide nobody behind them") func hidden()
    throws
  {
    var connection = try database.connect()
    let crowd = try connection.insertRequests(
      3000, transaction: "'crowd'", deadline: "now() + interval '1 hour'")
    let behind = try connection.insertRequests(
      transaction: "'behind'", deadline: "now() + interval '2 hours'")
    #expect(try claim(on: &connection) == [crowd[0]])
    #expect(try claim(on: &connection) == behind)
  }

  @Test("Only what this daemon serves is claimed, and never more than it asked for") func served()
    throws
  {
    var connection = try database.connect()
    _ = try connection.insertRequests(app: QueueDatabase.other, transaction: "'a'")
    _ = try connection.insertRequests(app: QueueDatabase.sandbox, transaction: "'b'")
    let mine = try connection.insertRequests(20)
    #expect(try claim([], on: &connection) == [])
    #expect(try claim(atMost: 0, on: &connection) == [])
    #expect(try claim(atMost: 7, on: &connection).count == 7)
    var rest: [Int64] = []
    while case let more = try claim(on: &connection), !more.isEmpty { rest += more }
    #expect(rest.count == 13)
    #expect(Set(rest).isSubset(of: mine))
  }

  @Test("Only queued requests are claimed") func states() throws {
    var connection = try database.connect()
    for (state, reason) in [
      ("waiting", "retry"), ("held", "review"), ("working", nil), ("withheld", "rule"),
      ("settled", nil), ("missed", "no_worker"), ("cancelled", nil), ("failed", "apple_refused"),
      ("observed", nil),
    ] {
      _ = try connection.insertRequests(
        transaction: "'\(state)'", state: state, reason: reason,
        nextAttempt: "now() - interval '1 hour'")
    }
    #expect(try claim(on: &connection) == [])
  }
}
