import AppStore
import Simulation
import Testing

@Suite("What Apple may say") struct FaultTests {
  /// Answers once with a fault; the request is tried again and then answered.
  private func retried(
    _ faults: [Fault], result: String, status: String?, attempts: Int? = nil
  ) async throws -> RequestRow {
    var found: RequestRow?
    try await Bench.run { bench in
      let asked = try bench.askHeavy()
      for fault in faults { bench.store.fail(fault, transaction: asked.transaction, times: 1) }
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
      let wanted = attempts ?? faults.count + 1
      #expect(row.attempts == wanted)
      // One attempt is one request on the wire, whatever became of it.
      #expect(bench.store.requests(for: asked.transaction).count == wanted)
      #expect(Set(bench.bodies(asked)).count == 1)
      #expect(row.tries.dropLast().allSatisfy { $0["result"]?.string == result })
      #expect(row.tries.first?["http_status"]?.text ?? "null" == status ?? "null")
      #expect(row.tries.last?["result"]?.string == "accepted")
      #expect(bench.store.overlaps.isEmpty)
      found = row
    }
    return try found.orThrow("the row")
  }

  @Test("A-10: a 401 in plain text, then a fresh token") func plainUnauthorized() async throws {
    let row = try await retried(
      [
        .status(
          401, headers: [("Content-Type", "text/plain")], body: "Unauthenticated\n\nRequest ID: X")
      ],
      result: "unauthorized", status: "401")
    #expect(row.tries[0]["apple_message"]?.string?.contains("\n") == false)
  }

  @Test("A-10: a 500 without a word") func emptyServerError() async throws {
    _ = try await retried([.status(500)], result: "retry", status: "500")
  }

  @Test("A-10: a 502 with a page of 200 kB") func page() async throws {
    let page = "<html>\u{1b}[31m" + String(repeating: "x", count: 200_000)
    let row = try await retried([.status(502, body: page)], result: "retry", status: "502")
    let message = try row.tries[0]["apple_message"]?.string.orThrow("a message")
    #expect((message?.count ?? 999) <= 400)
    #expect(message?.contains("\u{1b}") == false)
  }

  @Test("C-11: a 400 inside a 200 is not an answer") func wrapped() async throws {
    let row = try await retried(
      [.status(200, body: #"{"status":400,"errorCode":4000036}"#)], result: "unknown",
      status: "200")
    #expect(row.reason == "repeat")
  }

  @Test("A-34: 503 in a burst") func burst() async throws {
    _ = try await retried(
      [.status(503), .status(504), .code(5_000_001)], result: "retry", status: "503")
  }

  @Test("A connection reset after the request was read: one request an attempt")
  func reset() async throws {
    let row = try await retried([.reset], result: "unknown", status: nil)
    #expect(row.reason == "repeat")
    #expect(row.tries[1]["repeat"] == true)
  }

  @Test("A connection closed after the request was read: one request an attempt")
  func hangUp() async throws {
    _ = try await retried([.hangUp, .hangUp], result: "unknown", status: nil)
  }

  @Test("A 202 that is lost: the same bytes again, recorded as a repeat") func lost() async throws {
    let row = try await retried([.loseAnswer], result: "unknown", status: nil)
    #expect(row.reason == "repeat")
    #expect(row["explanation"]?.contains("may have reached Apple") == true)
  }

  @Test("Half an answer is none") func brokenOff() async throws {
    _ = try await retried([.breakOff], result: "unknown", status: nil)
  }

  @Test("A silent peer is waited for as long as requestTimeout, and no longer") func silence()
    async throws
  {
    try await Bench.run {
      $0["worker"] = ["requestTimeout": "1s"]
    } _: { bench in
      let asked = try bench.askHeavy()
      bench.store.fail(.silence, times: 1)
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered")
      #expect(row.tries.map { $0["result"]?.string } == ["unknown", "accepted"])
    }
  }

  @Test("429 with Apple's absolute Retry-After waits that long") func limited() async throws {
    try await Bench.run { bench in
      let asked = try bench.askHeavy()
      bench.store.fail(.rateLimited(.seconds(3)), times: 1)
      try bench.daemon()
      let waiting = try await bench.wait(asked, for: "waiting")
      #expect(waiting.reason == "gate")
      #expect(waiting["http_status"] == "429")
      let row = try await bench.wait(asked, for: "answered")
      let requests = bench.store.requests(for: asked.transaction)
      #expect(requests.count == 2)
      #expect(requests[1].arrivedAt - requests[0].arrivedAt >= .seconds(2.9))
      #expect(row.tries[0]["result"] == "limited")
    }
  }

  @Test("An idle connection that the server closed costs no second request") func idleClose()
    async throws
  {
    try await Bench.run { bench in
      bench.store.fail(.closeAfterAnswer)
      try bench.daemon()
      for _ in 0..<5 {
        let asked = try bench.askHeavy()
        let row = try await bench.wait(asked, for: "answered", within: .seconds(60))
        #expect(row.attempts == bench.bodies(asked).count)
      }
    }
  }

  @Test(
    "A 4xx for good ends it at the first answer, with Apple's code",
    arguments: [Int64(4_000_006), 4_000_047, 4_000_185, 4_040_010, 4_000_999, 4_030_001])
  func refused(code: Int64) async throws {
    try await Bench.run { bench in
      let asked = try bench.askHeavy()
      bench.store.fail(.code(code), times: 1)
      try await bench.drain()
      let row = try await bench.wait(asked, for: "failed")
      #expect(row.reason == "apple_\(code)")
      #expect(row.attempts == 1)
      #expect(row.tries[0]["apple_code"] == JSONValue(code))
      #expect(row["last_error"]?.contains("\(code)") == true)
      #expect(bench.bodies(asked).count == 1)
    }
  }

  @Test("401 once: the next token is another one, and is taken") func freshToken() async throws {
    try await Bench.run { bench in
      try bench.daemon()
      // The first token is good and in use.
      let first = try bench.askHeavy()
      try await bench.wait(first, for: "answered")
      bench.store.fail(.status(401), times: 1)
      let asked = try bench.askHeavy()
      let row = try await bench.wait(asked, for: "answered")
      #expect(row.attempts == 2)
      let tokens = bench.store.requests.map { request in
        request.headers.first { $0.name.lowercased() == "authorization" }?.value
      }
      #expect(tokens[0] == tokens[1])
      #expect(tokens[1] != tokens[2])
    }
  }

  @Test("A-09: 401 for ever is the daemon's fault: waiting, never failed, said to people")
  func unauthorizedForEver() async throws {
    try await Bench.run { bench in
      bench.store.fail(.status(401))
      let asked = [try bench.askHeavy(), try bench.askHeavy()]
      let daemon = try bench.daemon()
      for one in asked {
        try await until("three attempts of \(one.id)") {
          try bench.row(one.id)?.attempts ?? 0 >= 3
        }
        let row = try await bench.wait(one, for: "waiting")
        #expect(row.reason == "gate")
      }
      #expect(daemon.events("credentials_rejected").count >= 1)
      bench.store.recover()
      for one in asked { try await bench.wait(one, for: "answered", within: .seconds(60)) }
    }
  }

  @Test(
    "B-14: an optional key that Apple refuses: once more with the three required ones",
    arguments: [
      Fault.code(4_000_209), .code(4_000_044),
      .status(400, body: #"{"errorCode":4000555,"errorMessage":"The refundPreference is odd."}"#),
    ])
  func degraded(fault: Fault) async throws {
    try await Bench.run { bench in
      let asked = try bench.askHeavy()
      bench.store.fail(fault, times: 1)
      try bench.daemon()
      let row = try await bench.wait(asked, for: "answered")
      #expect(row.reason == "degraded")
      #expect(
        bench.bodies(asked).last
          == #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#
      )
      #expect(bench.bodies(asked).count == 2)
      #expect(
        JSONValue(text: try row["body"].orThrow("body"))?.object?["refundPreference"] == nil)
    }
  }

  @Test("Refused again without the optional keys: failed, after two") func degradedInVain()
    async throws
  {
    try await Bench.run { bench in
      let asked = try bench.askHeavy()
      bench.store.fail(.code(4_000_209), times: 2)
      try bench.daemon()
      let row = try await bench.wait(asked, for: "failed")
      #expect(row.reason == "apple_4000209")
      #expect(bench.bodies(asked).count == 2)
    }
  }
}
