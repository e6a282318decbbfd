import AppStore
import PostgreSQL
import TestSupport
import Testing

@testable import Daemon
@testable import Store

@Suite("The book of leases") struct LeaseBookTests {
  @Test("A lease is good for what fits in, from before it was asked for") func good() {
    let book = LeaseBook(duration: .seconds(45))
    book.add(["a"], sent: .now)
    book.add(["b"], sent: .now - .seconds(31))
    #expect(book.isGood("a", for: .seconds(15)))
    #expect(!book.isGood("b", for: .seconds(15)))
    #expect(!book.isGood("c", for: .zero))
    book.remove(["a"])
    #expect(!book.isGood("a", for: .zero))
    #expect(book.tokens == ["b"])
  }

  @Test("Renewed, lost, and taken out while the renewal was on its way") func renewal() {
    let book = LeaseBook(duration: .seconds(45))
    book.add(["a", "b", "c"], sent: .now - .seconds(40))
    book.remove(["c"])
    #expect(book.renew(asked: ["a", "b", "c"], renewed: ["a", "c"], sent: .now) == 1)
    #expect(book.isGood("a", for: .seconds(30)))
    #expect(!book.isGood("b", for: .zero))
    // A finished one does not come back.
    #expect(!book.isGood("c", for: .zero))
  }
}

@Suite("Permits") struct PermitTests {
  @Test("Never more than there are") func count() {
    let permits = Permits(16)
    #expect(permits.take(upTo: 10) {} == 10)
    #expect(permits.take(upTo: 10) {} == 6)
    #expect(permits.take(upTo: 10) {} == 0)
    permits.give(3)
    #expect(permits.available == 3)
  }

  @Test("Whoever was refused is woken once, when one is free, and nobody else") func wake() {
    let permits = Permits(1)
    let woken = TestSupport.Locked<[String]>([])
    func take(_ name: String) -> Int {
      permits.take(upTo: 1) { woken.withLock { $0.append(name) } }
    }
    #expect(take("a") == 1)
    permits.give(1)
    #expect(woken.withLock { $0 } == [])
    #expect(take("a") == 1)
    #expect(take("b") == 0)
    permits.give(0)
    #expect(woken.withLock { $0 } == [])
    permits.give(1)
    #expect(woken.withLock { $0 } == ["b"])
    #expect(take("a") == 1)
    permits.give(1)
    #expect(woken.withLock { $0 } == ["b"])
  }
}

@Suite("The tokens") struct TokenCaseTests {
  let app = Settings.App.sample()

  @Test("One is used for ten minutes, then made anew") func reuse() throws {
    var tokens = TokenCase()
    let now = Instant.now()
    let first = try tokens.token(for: app, now: now)
    let soon = try tokens.token(for: app, now: now + .seconds(300))
    #expect(soon.number == first.number)
    let later = try tokens.token(for: app, now: now + .seconds(800))
    #expect(later.number != first.number)
    #expect(!first.isLast)
  }

  @Test("A rejection makes one new, whoever else is rejected with the old one") func rejection()
    throws
  {
    var tokens = TokenCase()
    let first = try tokens.token(for: app, now: .now())
    let isFirst = tokens.reject(first, of: app.identity.bundleId)
    #expect(isFirst)
    let second = try tokens.token(for: app, now: .now())
    #expect(second.isLast)
    let isAgain = tokens.reject(first, of: app.identity.bundleId)
    #expect(!isAgain)
    let third = try tokens.token(for: app, now: .now())
    #expect(third.number == second.number)
    tokens.accept(second, of: app.identity.bundleId)
    let isNew = tokens.reject(second, of: app.identity.bundleId)
    #expect(isNew)
  }

  @Test("A fresh token, then each other key, and only then nothing is left") func keys() throws {
    var tokens = TokenCase()
    let key = app.keys[0]
    let app = Settings.App(
      identity: app.identity,
      keys: [key, APIKey(keyId: "SECOND", issuerId: key.issuerId, key: key.key)], endpoints: [:])
    var isLast: [Bool] = []
    var bearers: [String] = []
    for _ in 0..<5 {
      let token = try tokens.token(for: app, now: .now())
      isLast.append(token.isLast)
      // The header of a token names its key.
      bearers.append(String(token.bearer.authorization.split(separator: ".")[0]))
      _ = tokens.reject(token, of: app.identity.bundleId)
    }
    #expect(isLast == [false, false, true, true, true])
    #expect(bearers[0] == bearers[1])
    #expect(bearers[2] != bearers[0])
    #expect(bearers[3] == bearers[0] && bearers[4] == bearers[2])
    let taken = try tokens.token(for: app, now: .now())
    tokens.accept(taken, of: app.identity.bundleId)
    _ = tokens.reject(taken, of: app.identity.bundleId)
    #expect(try !tokens.token(for: app, now: .now()).isLast)
  }

  @Test("Each app has its own") func apps() throws {
    var tokens = TokenCase()
    let other = Settings.App.sample("com.example.other")
    let one = try tokens.token(for: app, now: .now())
    _ = tokens.reject(one, of: app.identity.bundleId)
    let others = try tokens.token(for: other, now: .now())
    #expect(!others.isLast)
  }
}

@Suite("What is said of the database") struct DatabaseHealthTests {
  private let said = TestSupport.Locked<[String]>([])

  private func health() -> DatabaseHealth {
    DatabaseHealth(Log { [said] event in said.withLock { $0.append(event.name) } })
  }

  @Test("Once when it goes, once when the last one has it again") func once() {
    let health = health()
    let error = PostgresError(kind: .connection, message: "gone")
    health.failed(for: "a", connectedAt: .now, error)
    health.failed(for: "b", connectedAt: nil, error)
    health.failed(for: "a", connectedAt: nil, error)
    health.worked(for: "a")
    #expect(health.awayFor != nil)
    health.worked(for: "b")
    #expect(health.awayFor == nil)
    #expect(said.withLock { $0 } == ["database_unreachable", "database_back"])
  }

  @Test("Who finds out later that he lost it in the same loss is not a second one") func idle() {
    let health = health()
    let error = PostgresError(kind: .connection, message: "gone")
    let before = ContinuousClock.now
    health.failed(for: "a", connectedAt: before, error)
    health.worked(for: "a")
    health.failed(for: "idle", connectedAt: before, error)
    #expect(health.awayFor == nil)
    health.failed(for: "idle", connectedAt: .now, error)
    #expect(health.awayFor != nil)
    #expect(
      said.withLock { $0 } == ["database_unreachable", "database_back", "database_unreachable"])
  }
}

@Suite("What the log says of pauses") struct PauseWatchTests {
  private let all = Pauses.Pause(bundleId: nil, person: "ada", note: "", seconds: 1)
  private let one = Pauses.Pause(bundleId: "com.example.app", person: "ada", note: "", seconds: 1)

  @Test("Once when one begins, every ten minutes that it lasts, once when it ends") func pauses() {
    var watch = PauseWatch()
    let start = ContinuousClock.now
    #expect(watch.look([], now: start).isEmpty)
    #expect(watch.look([all], now: start) == [.paused(all)])
    #expect(watch.look([all, one], now: start + .seconds(5)) == [.paused(one)])
    #expect(watch.look([all, one], now: start + .seconds(599)).isEmpty)
    #expect(watch.look([all, one], now: start + .seconds(600)) == [.paused(all)])
    #expect(watch.look([one], now: start + .seconds(601)) == [.resumed(bundleId: nil)])
    #expect(watch.look([], now: start + .seconds(602)) == [.resumed(bundleId: one.bundleId)])
  }
}

@Suite("Whose fault an error is") struct DataFaultTests {
  @Test(
    "The value's",
    arguments: [
      ("22001", true), ("23514", true), ("54000", true), ("54001", true), ("40001", false),
      ("42501", false), ("53100", false), ("57014", false),
    ]) func states(sqlState: String, isDataFault: Bool)
  {
    let error = PostgresError(kind: .server, sqlState: sqlState, message: "m")
    #expect(error.isDataFault == isDataFault)
  }
}
