import AppStore
import HTTP
import Simulation
import Testing

@Suite("The simulated App Store fails as it is told, and remembers")
struct StoreTests {
  let credentials = Credentials()
  let store: SimulatedAppStore
  let client = HTTPClient(maximumConnectionsPerHost: 8)
  let authorization: String

  init() throws {
    store = try SimulatedAppStore(credentials.settings)
    authorization = try credentials.authorization()
  }

  func status(_ id: String = "1") async throws -> Int {
    try await client.put(to: store, id: id, authorization: authorization).status
  }

  func error(_ id: String = "1", timeout: Duration = .seconds(10)) async -> HTTPError? {
    do {
      _ = try await client.put(to: store, id: id, authorization: authorization, timeout: timeout)
      return nil
    } catch {
      return error as? HTTPError
    }
  }

  @Test("so many times, in the order asked for, and then well again")
  func order() async throws {
    store.fail(.status(503, headers: [("X-Why", "busy")], body: "<html>"), times: 2)
    store.fail(.code(5_000_001), times: 1)
    var statuses: [Int] = []
    for _ in 0..<4 { statuses.append(try await status()) }
    #expect(statuses == [503, 503, 500, 202])
    #expect(store.accepted.map(\.number) == [4])
  }

  @Test("for one transaction alone")
  func oneTransaction() async throws {
    store.fail(.status(500), transaction: "7")
    #expect(try await status("1") == 202)
    #expect(try await status("7") == 500)
    #expect(try await status("7") == 500)
    store.recover()
    #expect(try await status("7") == 202)
  }

  @Test("A-35: a rate limit says when in milliseconds since 1970")
  func rateLimit() async throws {
    store.fail(.rateLimited(.seconds(60)), times: 1)
    let before = Instant.now()
    let response = try await client.put(to: store, authorization: authorization)
    #expect(response.status == 429)
    let retry = try #require(Int64(response.headers["Retry-After"] ?? ""))
    #expect(abs(retry - (before + .seconds(60)).milliseconds) < 5000)
    #expect(String(decoding: response.body, as: UTF8.self).contains("4290000"))
  }

  @Test(
    "connections that end without an answer",
    arguments: [
      Fault.hangUp, .reset, .loseAnswer, .breakOff,
    ])
  func lost(fault: Fault) async throws {
    store.fail(fault, times: 1)
    let error = await error()
    #expect(error?.kind == .connectionLost)
    #expect(error?.mayHaveBeenSent == true)
    #expect(store.requests.count == 1)
    #expect(store.requests.first?.status == nil)
    #expect(try await status() == 202)
  }

  @Test("a lost answer was meant: the App Store has it, the client does not know")
  func lostAnswer() async throws {
    store.fail(.loseAnswer, times: 1)
    #expect(await error() != nil)
    #expect(store.accepted.count == 1)
    store.fail(.hangUp, times: 1)
    #expect(await error() != nil)
    #expect(store.accepted.count == 1)
  }

  @Test("202 and then closed: the next request takes another connection")
  func closeAfterAnswer() async throws {
    store.fail(.closeAfterAnswer, times: 3)
    // Whether the client notices in time is the race that this fault is for.
    while store.accepted.count < 3 { _ = try? await status() }
    let next = HTTPClient(maximumConnectionsPerHost: 1)
    for _ in 0..<2 {
      #expect(try await next.put(to: store, authorization: authorization).status == 202)
    }
    #expect(store.accepted.count == store.requests.count)
    #expect(Set(store.requests.map(\.connection)).count == 4)
  }

  @Test("silence lasts until the client hangs up")
  func silence() async throws {
    store.fail(.silence, times: 1)
    let error = await error(timeout: .milliseconds(200))
    #expect(error?.kind == .timeout)
    #expect(await store.wait { $0.count == 1 && !$0[0].isInFlight })
    #expect(store.requests[0].status == nil)
  }

  @Test("B-01: two requests for one transaction at once are told from two in turn")
  func overlaps() async throws {
    store.fail(.silence, transaction: "1", times: 1)
    let silent = HTTPClient(maximumConnectionsPerHost: 1)
    let first = Task { try await silent.put(to: store, id: "1", authorization: authorization) }
    #expect(await store.wait { $0.count == 1 })
    #expect(try await status("2") == 202)
    #expect(store.overlaps == [])
    #expect(try await status("1") == 202)
    #expect(store.overlaps == ["1"])
    silent.close()
    await #expect(throws: HTTPError.self) { try await first.value }
    #expect(await store.wait { !$0[0].isInFlight })
    #expect(try await status("1") == 202)
    #expect(store.requests(for: "1").map(\.overlapped) == [false, true, false])
  }

  @Test("one after the other never overlaps, on whatever connection")
  func inTurn() async throws {
    for _ in 0..<100 {
      let fresh = HTTPClient(maximumConnectionsPerHost: 1)
      #expect(try await fresh.put(to: store, authorization: authorization).status == 202)
    }
    #expect(store.overlaps == [])
    #expect(store.accepted.count == 100)
  }

  @Test("waiting ends when its time is over")
  func waiting() async {
    #expect(await store.wait(.milliseconds(50)) { !$0.isEmpty } == false)
    #expect(await store.wait { $0.isEmpty })
  }

  @Test("everything is remembered")
  func memory() async throws {
    _ = try await status("12")
    let seen = try #require(store.requests.first)
    #expect(seen.method == "PUT")
    #expect(seen.path == "/inApps/v2/transactions/consumption/12")
    #expect(seen.version == "v2")
    #expect(seen.transactionId == "12")
    #expect(seen.body == acceptableBody)
    #expect(seen.headers.contains { $0.name == "Authorization" })
    #expect(seen.verdict?.isAccepted == true)
    #expect(seen.connection == 1)
    let ended = try #require(seen.endedAt)
    #expect(ended >= seen.arrivedAt)
  }

  @Test(
    "faults as a person writes them",
    arguments: [
      ("503*3", 3), ("503", .max), ("429:60*2", 2), ("4040010", .max), ("hangup*1", 1),
      ("slow:2.5*10", 10), ("silence", .max),
    ] as [(String, Int)])
  func text(text: String, times: Int) throws {
    #expect(try FaultText(text).times == times)
  }

  @Test(
    "what is no fault",
    arguments: ["", "*", "503*", "503*0", "503*x", "99", "oops", "slow:x", "1*2*3"])
  func noFault(text: String) {
    #expect(throws: SimulationError.self) { try FaultText(text) }
  }
}
