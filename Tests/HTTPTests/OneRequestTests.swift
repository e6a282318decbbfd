import Dispatch
import HTTP
import Simulation
import Testing

@Suite("One send is at most one request on the wire")
struct OneRequestTests {
  let client = HTTPClient(maximumConnectionsPerHost: 4)

  @Test("a server that reads and hangs up gets each request once")
  func readsAndHangsUp() async throws {
    let requests = Counter()
    // Every second request of a connection is read and then left without an answer: a client
    // that resends on a reused connection would show here.
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      requests.increase()
      connection.write(ServerAnswer(202))
      if connection.readRequest() != nil { requests.increase() }
    }
    var lost = 0
    for _ in 0..<60 {
      let result = await client.send(.put(to: server.port))
      if let error = result.error {
        lost += 1
        #expect(error.kind == .connectionLost)
        #expect(error.mayHaveBeenSent)
      } else {
        #expect(result.response?.status == 202)
      }
    }
    #expect(requests.value == 60)
    #expect(lost == 30)
  }

  @Test("a reset after reading is a lost connection, not a second request")
  func reset() async throws {
    let requests = Counter()
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      requests.increase()
      connection.reset()
    }
    let error = await client.send(.put(to: server.port)).error
    #expect(error?.kind == .connectionLost)
    #expect(error?.mayHaveBeenSent == true)
    #expect(requests.value == 1)
  }

  @Test("idle connections that the server closed cost no request")
  func closesIdleConnections() async throws {
    let requests = Counter()
    let closed = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      requests.increase()
      connection.write(ServerAnswer(202))
      connection.hangUp()
      closed.continuation.yield()
    }
    var ends = closed.stream.makeAsyncIterator()
    for _ in 0..<20 {
      let result = await client.send(.put(to: server.port))
      #expect(result.response?.status == 202)
      await ends.next()
    }
    #expect(requests.value == 20)
  }

  @Test("E-01, E-03: a TLS connection that was reset while idle harms neither process nor request")
  func resetWhileIdle() async throws {
    let authority = try TestAuthority()
    let requests = Counter()
    let resets = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackListener(tls: authority.server()) { connection in
      guard connection.readRequest() != nil else { return }
      requests.increase()
      connection.write(ServerAnswer(202))
      connection.reset()
      connection.hangUp()
      resets.continuation.yield()
    }
    let client = HTTPClient(maximumConnectionsPerHost: 1, rootsFile: authority.rootFile)
    var ends = resets.stream.makeAsyncIterator()
    for _ in 0..<10 {
      let result = await client.send(.put(to: server.port, scheme: "https"))
      #expect(result.response?.status == 202)
      await ends.next()
    }
    #expect(requests.value == 10)
  }

  @Test("width 16 reuses its connections: 1000 sends, at most 16 of them, each request once")
  func reuse() async throws {
    let requests = Counter()
    let server = try serving { _ in
      requests.increase()
      return ServerAnswer(202)
    }
    let client = HTTPClient(maximumConnectionsPerHost: 16)
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<1000 {
        group.addTask { await client.send(.put(to: server.port)).response?.status }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [202: 1000])
    #expect(requests.value == 1000)
    #expect(server.accepted <= 16)
  }

  @Test("A-37: descriptors do not pile up, whatever becomes of the requests")
  func descriptors() async throws {
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      if connection.number.isMultiple(of: 3) { return connection.reset() }
      connection.write(ServerAnswer(202))
    }
    func run(_ count: Int) async {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask { _ = await client.send(.put(to: server.port, host: "localhost")) }
        }
      }
    }
    await run(20)
    let before = try openSockets(to: server.port)
    await run(400)
    #expect(server.accepted > 200)
    #expect(try openSockets(to: server.port) <= before + 8)
  }

  @Test("a fresh connection is one when asked for")
  func fresh() async throws {
    let server = try serving { _ in ServerAnswer(202) }
    for _ in 0..<3 { _ = await client.send(.put(to: server.port)) }
    #expect(server.accepted == 1)
    _ = await client.send(.put(to: server.port, freshConnection: true))
    #expect(server.accepted == 2)
  }

  @Test("the request arrives as it was given, with its length and nothing that was not asked for")
  func bytes() async throws {
    let seen = AsyncStream.makeStream(of: ServerRequest.self)
    let server = try serving { request in
      seen.continuation.yield(request)
      return ServerAnswer(202)
    }
    var requests = seen.stream.makeAsyncIterator()
    // A zero byte in the middle: the body is counted, not searched for its end. Long enough for
    // libcurl to ask "Expect: 100-continue", if it were let.
    let body = "{\"a\": \"\0\"}" + String(repeating: " ", count: 100_000)
    _ = await client.send(.put(to: server.port, body: body))
    let request = try #require(await requests.next())
    #expect(request.method == "PUT")
    #expect(request.target == "/inApps/v2/transactions/consumption/1")
    #expect(request.body == Array(body.utf8))
    #expect(
      request.headers.map(\.name).sorted() == ["Accept", "Content-Length", "Content-Type", "Host"])

    _ = await client.send(
      HTTPRequest(
        method: "POST", url: "http://127.0.0.1:\(server.port)/inApps/v1/notifications/test"))
    let empty = try #require(await requests.next())
    #expect(empty.method == "POST")
    #expect(empty.values(of: "content-length") == ["0"])
    #expect(empty.values(of: "content-type") == [])

    _ = await client.send(
      HTTPRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/a?b=c"))
    let get = try #require(await requests.next())
    #expect(get.method == "GET")
    #expect(get.target == "/a?b=c")
    #expect(get.values(of: "content-length") == [])
  }

  @Test("a line break in a header sends nothing")
  func injection() async throws {
    let server = try serving { _ in ServerAnswer(202) }
    var request = HTTPRequest.put(to: server.port)
    request.headers.append(("Authorization", "Bearer x\r\nX-Other: y"))
    let error = await client.send(request).error
    #expect(error?.kind == .other)
    #expect(error?.mayHaveBeenSent == false)
    #expect(error?.message.contains("Bearer") == false)
    #expect(server.accepted == 0)
  }

  @Test("C-13: a request never shows its headers or its body")
  func description() {
    var request = HTTPRequest.put(to: 1, body: "secret-body")
    request.headers.append(("Authorization", "Bearer secret-token"))
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(request)", String(reflecting: request), dumped] {
      #expect(!text.contains("secret"))
    }
  }
}
