import Dispatch
import HTTP
import Simulation
import Testing

@Suite("Requests without an answer")
struct FailureTests {
  let client = HTTPClient(maximumConnectionsPerHost: 4)

  @Test("A-36: a silent server ends at the total timeout, and the outcome is unknown")
  func silence() async throws {
    let server = try LoopbackListener { connection in
      _ = connection.readRequest()
      connection.wait(nil)
    }
    let start = ContinuousClock.now
    let error = await client.send(.put(to: server.port, timeout: .milliseconds(300))).error
    #expect(error?.kind == .timeout)
    #expect(error?.mayHaveBeenSent == true)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("A-36: a header and then a byte now and then does not stretch the timeout")
  func trickle() async throws {
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      while connection.write("x"), connection.wait(.milliseconds(50)) {}
    }
    let start = ContinuousClock.now
    let error = await client.send(.put(to: server.port, timeout: .milliseconds(500))).error
    #expect(error?.kind == .timeout)
    #expect(error?.mayHaveBeenSent == true)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("A-36: a handshake that never ends is cut by the connect timeout: nothing was sent")
  func connectTimeout() async throws {
    // In the clear where the client expects TLS: it waits for the server's half.
    let server = try LoopbackListener { $0.wait(nil) }
    var request = HTTPRequest.put(to: server.port, scheme: "https")
    request.connectTimeout = .milliseconds(300)
    let start = ContinuousClock.now
    let error = await client.send(request).error
    #expect(error?.kind == .timeout)
    #expect(error?.mayHaveBeenSent == false)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("a reset is noticed when it comes, not at the next timer")
  func resetsAtOnce() async throws {
    let server = try LoopbackListener { connection in
      if connection.readRequest() != nil { connection.reset() }
    }
    var late = 0
    for _ in 0..<100 {
      let start = ContinuousClock.now
      #expect(await client.send(.put(to: server.port)).error?.kind == .connectionLost)
      let waited = ContinuousClock.now - start
      if waited > .milliseconds(195) && waited < .milliseconds(215) { late += 1 }
    }
    // When each socket had Dispatch sources of its own, a third of the resets was missed and
    // found by libcurl's next timer, after 200 ms. A busy machine spreads its delays.
    #expect(late < 15)
  }

  @Test("a refused connection: nothing was sent")
  func refused() async throws {
    let server = try LoopbackListener { _ in }
    server.stop()
    let error = await client.send(.put(to: server.port)).error
    #expect(error?.kind == .connect)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("E-05: a name that does not exist: nothing was sent, and the client lives on")
  func unknownName() async throws {
    let server = try serving { _ in ServerAnswer(202) }
    for _ in 0..<3 {
      let error = await client.send(
        .put(to: server.port, host: "nonexistent.invalid", timeout: .seconds(20))
      ).error
      #expect(error?.kind == .resolve || error?.kind == .timeout)
      #expect(error?.mayHaveBeenSent == false)
    }
    #expect(await client.send(.put(to: server.port)).response?.status == 202)
    // Looked up by libcurl's thread, which wakes us by a socket that it closes by itself.
    for _ in 0..<5 {
      let named = HTTPRequest.put(to: server.port, host: "localhost", freshConnection: true)
      #expect(await client.send(named).response?.status == 202)
    }
  }

  @Test(
    "other protocols, names with a password and nonsense are refused",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/x", "http://user:pass@127.0.0.1:1/", "nonsense://", "",
    ])
  func addresses(url: String) async {
    let error = await client.send(HTTPRequest(method: "GET", url: url)).error
    #expect(error?.mayHaveBeenSent == false)
    #expect(error?.message.contains("pass@") == false)
  }

  @Test("who waits for a connection longer than the timeout was never sent")
  func line() async throws {
    let requests = Counter()
    let server = try LoopbackListener { connection in
      while connection.readRequest() != nil {
        requests.increase()
        connection.wait(nil)
      }
    }
    let client = HTTPClient(maximumConnectionsPerHost: 1)
    async let first = client.send(.put(to: server.port, timeout: .milliseconds(400)))
    async let second = client.send(.put(to: server.port, timeout: .milliseconds(400)))
    let errors = await [first.error, second.error]
    #expect(errors.allSatisfy { $0?.kind == .timeout })
    #expect(requests.value >= 1)
    #expect(errors.count { $0?.mayHaveBeenSent == true } == requests.value)
  }

  @Test("close ends what runs and what waits, each once, and tells which may have been sent")
  func close() async throws {
    let arrived = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackListener { connection in
      _ = connection.readRequest()
      arrived.continuation.yield()
      connection.wait(nil)
    }
    let client = HTTPClient(maximumConnectionsPerHost: 2)
    let completions = Counter()
    let results = AsyncStream.makeStream(of: HTTPError?.self)
    for _ in 0..<5 {
      client.send(.put(to: server.port)) { result in
        completions.increase()
        results.continuation.yield(result.error)
      }
    }
    var arrivals = arrived.stream.makeAsyncIterator()
    await arrivals.next()
    await arrivals.next()
    client.close()
    client.close()
    var errors: [HTTPError?] = []
    for await error in results.stream {
      errors.append(error)
      if errors.count == 5 { break }
    }
    #expect(errors.allSatisfy { $0?.kind == .cancelled })
    #expect(errors.count { $0?.mayHaveBeenSent == true } == 2)

    let later = await client.send(.put(to: server.port)).error
    #expect(
      later == HTTPError(kind: .cancelled, message: "the client was closed", mayHaveBeenSent: false)
    )
    #expect(completions.value == 5)
  }

  @Test("a client that is let go ends what runs")
  func letGo() async throws {
    let server = try LoopbackListener { connection in
      _ = connection.readRequest()
      connection.wait(nil)
    }
    let error = await withCheckedContinuation { continuation in
      HTTPClient(maximumConnectionsPerHost: 1).send(.put(to: server.port)) {
        continuation.resume(returning: $0.error)
      }
    }
    #expect(error?.kind == .cancelled)
  }
}
