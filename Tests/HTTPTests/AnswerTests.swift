import Dispatch
import HTTP
import Simulation
import Testing

@Suite("Answers")
struct AnswerTests {
  let client = HTTPClient(maximumConnectionsPerHost: 4)

  @Test("A-10: 202 without a body is an answer like any other")
  func emptyBody() async throws {
    let server = try serving { _ in ServerAnswer(202) }
    let response = await client.send(.put(to: server.port)).response
    #expect(response?.status == 202)
    #expect(response?.body == [])
    #expect(response?.isTruncated == false)
  }

  @Test("A-10: 200 kB of HTML are cut, with their status; 64 kB are not")
  func longBody() async throws {
    let page = String(repeating: "<p>Bad gateway</p>", count: 12_000)
    let server = try serving { request in
      request.target == "/long"
        ? ServerAnswer(502, headers: [("Content-Type", "text/html")], body: page)
        : ServerAnswer(200, body: String(repeating: "x", count: HTTPResponse.bodyLimit))
    }
    let url = "http://127.0.0.1:\(server.port)"
    let long = try #require(
      await client.send(HTTPRequest(method: "GET", url: url + "/long")).response)
    #expect(long.status == 502)
    #expect(long.isTruncated)
    #expect(long.body == Array(page.utf8.prefix(HTTPResponse.bodyLimit)))
    #expect(long.headers["content-type"] == "text/html")

    let full = await client.send(HTTPRequest(method: "GET", url: url + "/full")).response
    #expect(full?.body.count == HTTPResponse.bodyLimit)
    #expect(full?.isTruncated == false)
  }

  @Test(
    "A-35: Retry-After is found in any case",
    arguments: ["Retry-After", "retry-after", "RETRY-AFTER"])
  func headerCase(name: String) async throws {
    let server = try serving { _ in
      ServerAnswer(429, headers: [(name, "  1698148950000 "), ("X-A", "1"), ("x-a", "2")])
    }
    let response = try #require(await client.send(.put(to: server.port)).response)
    #expect(response.status == 429)
    #expect(response.headers["Retry-After"] == "1698148950000")
    #expect(response.headers["rEtRy-AfTeR"] == "1698148950000")
    #expect(response.headers["X-A"] == "1, 2")
    #expect(response.headers["X-B"] == nil)
  }

  @Test("headers of a 100 Continue are not the answer's")
  func interim() async throws {
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 103 Early Hints\r\nRetry-After: 5\r\n\r\n")
      connection.write("HTTP/1.1 202 Accepted\r\nDate: today\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try #require(await client.send(.put(to: server.port)).response)
    #expect(response.status == 202)
    #expect(response.headers["retry-after"] == nil)
    #expect(response.headers["date"] == "today")
  }

  @Test("a redirect is an answer, never followed")
  func redirect() async throws {
    let requests = Counter()
    let server = try serving { request in
      requests.increase()
      return ServerAnswer(307, headers: [("Location", "http://127.0.0.1:1/elsewhere")])
    }
    #expect(await client.send(.put(to: server.port)).response?.status == 307)
    #expect(requests.value == 1)
  }

  @Test("an answer that breaks off is a lost connection")
  func partial() async throws {
    let server = try LoopbackListener { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    }
    let error = await client.send(.put(to: server.port)).error
    #expect(error?.kind == .connectionLost)
    #expect(error?.mayHaveBeenSent == true)
  }
}
