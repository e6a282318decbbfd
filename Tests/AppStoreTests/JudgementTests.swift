import AppStore
import Testing

@Suite struct JudgementTests {
  private let now = Instant(milliseconds: 1_790_000_000_000)

  private func judge(
    _ status: Int, _ body: String = "", retryAfter: String? = nil
  ) -> Judgement {
    Judgement.sendConsumption(
      Answer(status: status, retryAfter: retryAfter, body: Array(body.utf8)), now: now)
  }

  private func apple(_ code: String, _ message: String = "m") -> String {
    "{\"errorCode\":\(code),\"errorMessage\":\"\(message)\"}"
  }

  @Test(arguments: [
    (202, "", Judgement.Result.accepted), (202, "{\"errorCode\":4000036}", .accepted),
    (200, "", .unknown), (200, "{\"errorCode\":4000036}", .unknown), (201, "", .unknown),
    (204, "", .unknown), (299, "", .unknown), (0, "", .unknown), (100, "", .unknown),
    (700, "", .unknown), (302, "", .retry), (400, "", .refused), (400, "<html>", .refused),
    (401, "Unauthenticated\n\nRequest ID: X", .unauthorized), (401, "", .unauthorized),
    (403, "", .refused), (404, "", .refused), (408, "", .retry), (425, "", .retry),
    (429, "", .limited),
    (500, "", .retry), (502, "<html>", .retry), (503, "", .retry), (504, "", .retry),
  ])
  func `A-10, C-11: The status decides first`(status: Int, body: String, result: Judgement.Result) {
    #expect(judge(status, body).result == result)
  }

  @Test(arguments: [
    (400, 4_000_006), (400, 4_000_047), (400, 4_000_048), (400, 4_000_185), (400, 4_000_227),
    (400, 4_000_036), (404, 4_040_010), (404, 4_040_001), (404, 4_040_003), (404, 4_040_005),
    (400, 4_009_999), (404, 4_049_999), (403, 4_039_999),
  ])
  func `A-04, A-13: Refused for good, with the raw code`(status: Int, code: Int64) {
    let judgement = judge(status, apple("\(code)"))
    #expect(judgement.result == .refused && judgement.appleCode == code)
  }

  @Test(arguments: [
    (404, 4_040_002), (404, 4_040_004), (404, 4_040_006), (500, 5_000_000), (500, 5_000_001),
    (500, 5_009_999),
  ])
  func `A-34: Worth another try`(status: Int, code: Int64) {
    let judgement = judge(status, apple("\(code)"))
    #expect(judgement.result == .retry && judgement.appleCode == code)
  }

  @Test func `B-14: An answer about an optional key allows one try without them`() {
    for body in [
      apple("4000209"), apple("4000044"), apple("4000999", "Bad ConsumptionPercentage"),
      apple("4000999", "the refund preference is odd"),
    ] {
      #expect(judge(400, body).mayRetryWithoutOptionals)
      #expect(judge(400, body).result == .refused)
      #expect(!judge(404, body).mayRetryWithoutOptionals)
      #expect(!judge(500, body).mayRetryWithoutOptionals)
    }
    for body in ["", "percentage", apple("4000036", "delivery status"), apple("\"4000209\"")] {
      #expect(!judge(400, body).mayRetryWithoutOptionals)
    }
  }

  @Test func `A-10: A body that is not JSON is kept short and harmless`() {
    #expect(
      judge(401, "Unauthenticated\n\nRequest ID: X").appleMessage
        == "Unauthenticated\\u{a}\\u{a}Request ID: X")
    #expect(judge(500).appleMessage == nil)
    let page = judge(502, String(repeating: "<p>\u{1B}[31m", count: 30_000)).appleMessage
    #expect((page?.count ?? 0) > 250 && (page?.utf8.count ?? .max) < 3000)
    #expect(page?.contains("\u{1B}") == false)
    let binary = Judgement.sendConsumption(
      Answer(status: 500, body: [0xFF, 0x00, 0xC3]), now: now)
    #expect(binary.appleMessage?.contains("\u{0}") == false)
    #expect(judge(400, apple("1", "a\\u001bb")).appleMessage == "a\\u{1b}b")
  }

  @Test func `C-13: A page that repeats our token does not carry it into the database`() {
    let page = "GET / HTTP/1.1\nAuthorization: Bearer eyJhbGciOi.eyJpc3M-_.AAAA-_ and eyJ more"
    let message = judge(502, page).appleMessage
    #expect(message?.contains("eyJ") == false)
    #expect(message?.hasSuffix("Bearer [token] and [token] more") == true)
  }

  @Test(arguments: ["4.5", "1e300", "9223372036854775808", "\"4000209\"", "null", "[]"])
  func `A code that is no whole number is none`(code: String) {
    let judgement = judge(400, apple(code))
    #expect(judgement.appleCode == nil && judgement.result == .refused)
  }

  @Test func `A code for the rate limit counts with another status too`() {
    #expect(judge(400, apple("4290000")).result == .limited)
  }

  @Test(
    arguments: [
      ("1790000060000", 1_790_000_060_000), ("120", 1_790_000_120_000), ("0", 1_790_000_000_000),
      (" 120 ", 1_790_000_120_000), ("1698148950000", 1_698_148_950_000),
      ("100000000001", 100_000_000_001), ("253402300799999", 253_402_300_799_999),
    ] as [(String, Int64)])
  func `A-35: Milliseconds since 1970, or seconds from now`(header: String, expected: Int64) {
    let judgement = judge(429, retryAfter: header)
    #expect(judgement.retryAt?.instant == Instant(milliseconds: expected))
  }

  @Test(arguments: [
    "", " ", "-1", "+5", "1.5", "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "9223372036854775807",
    "9223372036854775808", "99999999999999999999999", "1698148950000ms", "12 34", "١٢٠",
  ])
  func `A-35: Anything else is ignored`(header: String) {
    let judgement = judge(429, retryAfter: header)
    #expect(judgement.retryAt == nil && judgement.result == .limited)
  }

  @Test func `A-35: Seconds never overflow`() {
    #expect(RetryAfter(header: "100000000000", now: now) != nil)
    #expect(
      RetryAfter(header: "5", now: Instant(microseconds: .max))?.instant
        == Instant(microseconds: .max))
  }

  @Test func `A-12: The server's clock is read from its Date`() {
    func time(_ date: String?) -> Instant? { Answer(status: 202, date: date).serverTime }
    #expect(time("Sun, 06 Nov 1994 08:49:37 GMT") == Instant(iso8601: "1994-11-06T08:49:37Z"))
    #expect(time("Mon, 30 Nov 2026 20:04:41 GMT") == Instant(iso8601: "2026-11-30T20:04:41Z"))
    for date in [nil, "", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET", "a b c d e GMT"] {
      #expect(time(date) == nil)
    }
  }
}
