import Crypto
import TestCertificates
import Testing

@testable import AppStore

@Suite struct NotificationVerifierTests {
  private let signer: TestSigner

  init() throws {
    signer = try TestSigner()
  }

  /// Expects this reason, and that the detail names the JWS and what was found.
  private func expect(
    _ reason: RejectionReason?, _ detail: String = "", _ payload: String,
    apps: [AppIdentity]? = [TestSigner.app], now: Instant = TestSigner.now,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    var verifier = try signer.verifier(apps: apps)
    do throws(SignedPayloadError) {
      _ = try verifier.verify(payload, now: now)
      #expect(reason == nil, sourceLocation: location)
    } catch {
      #expect(error.reason == reason, "\(error)", sourceLocation: location)
      #expect(error.detail.contains(detail), "\(error)", sourceLocation: location)
      #expect(error.detail.utf8.count < 400, sourceLocation: location)
      #expect(!error.detail.contains("eyJ"), sourceLocation: location)
    }
  }

  @Test func `A request that holds is read whole`() throws {
    var verifier = try signer.verifier()
    let verified = try verifier.verify(signer.request(), now: TestSigner.now)
    #expect(verified.notification.isConsumptionRequest)
    #expect(verified.notification.uuid == "uuid-1")
    #expect(verified.notification.signedAt == TestSigner.signedAt)
    #expect(verified.notification.consumptionRequestReason == "OTHER")
    #expect(verified.transaction?.transactionId == "23456")
    #expect(verified.renewal?.autoRenewStatus == 1)
    #expect(verified.appTransaction == nil)
    #expect(verified.renewalJSON?.hasPrefix("{") == true)
  }

  @Test func `Size`() throws {
    let long = String(repeating: "a", count: 256 * 1024)
    try expect(.malformed, "found 1", long)
    try expect(.tooLarge, "expected at most 262144 bytes, found 262145", long + "a")
  }

  @Test(arguments: ["", ".", "..", "...", "a.b", "a.b.c.d", "e30.e30.e30", "{\"x\":1}", "é.é.é"])
  func `Shape`(payload: String) throws {
    try expect(.malformed, "notification: ", payload)
  }

  @Test func `E-15: Payloads that are no usable JSON`() throws {
    for payload in [
      "hello", "[]", "\"text\"", "{\"signedDate\":1790000000000", "\u{FEFF}{}",
      String(repeating: "[", count: 10_000),
      "{\"a\":" + String(repeating: "{\"a\":", count: 10_000),
    ] {
      try expect(.malformed, "notification: payload: ", signer.sign(payload))
    }
    let invalid = signer.header()
    let signed =
      Base64URL.encode(Array(invalid.utf8)) + "." + Base64URL.encode([0x22, 0xFF, 0x22])
    let signature = try signer.chain.leaf.key.signature(over: Array(signed.utf8))
    try expect(.malformed, "not UTF-8", signed + "." + Base64URL.encode(signature))
  }

  @Test func `E-15: U+0000 never reaches a column of text`() throws {
    let zero = "\"a\\u0000b\""
    for key in ["notificationType", "notificationUUID"] {
      try expect(.malformed, "notification: \(key)", signer.request(notification: [key: zero]))
    }
    for key in ["transactionId", "originalTransactionId", "productId", "type"] {
      try expect(.malformed, "transaction: \(key)", signer.request(transaction: [key: zero]))
    }
    var verifier = try signer.verifier()
    let verified = try verifier.verify(
      signer.request(
        notification: ["subtype": zero], data: ["consumptionRequestReason": zero],
        transaction: ["currency": zero, "revocationType": zero, "revocationDate": "1"]),
      now: TestSigner.now)
    #expect(verified.notification.subtype == nil)
    #expect(verified.notification.consumptionRequestReason == nil)
    #expect(verified.transaction?.currency == nil)
    #expect(verified.transaction?.revocation?.type == nil)
    // The evidence keeps what was signed; PostgreSQL's json takes the escape.
    #expect(verified.transactionJSON?.contains("\\u0000") == true)
  }

  @Test(arguments: [
    ("signedDate", "1e308", RejectionReason.date), ("signedDate", "-1", .date),
    ("signedDate", "1e999", .date), ("signedDate", "9223372036854775808", .date),
    ("signedDate", "\"1790000000000\"", .malformed), ("signedDate", "null", .malformed),
    ("signedDate", "1790000000", .date), ("signedDate", "1577836799999", .date),
    ("notificationType", "7", .malformed), ("notificationUUID", "\"\"", .malformed),
    ("version", "\"1.0\"", .version), ("version", "2.0", .version), ("version", "null", .version),
    ("version", "\"2\"", .version), ("version", "\"2.\"", .version),
    ("version", "\"20.0\"", .version),
    ("data", "7", .malformed), ("data", "null", .malformed), ("data", "{}", .malformed),
  ])
  func `Fields of the notification`(key: String, value: String, reason: RejectionReason) throws {
    try expect(reason, "notification: ", signer.request(notification: [key: value]))
  }

  @Test func `Newer versions 2.x and dates with a fraction pass`() throws {
    try expect(nil, "", signer.request(notification: ["version": "\"2.13\""]))
    try expect(nil, "", signer.request(notification: ["signedDate": "1790000000000.25"]))
  }

  @Test func `The date may be five minutes ahead and not a millisecond more`() throws {
    let payload = try signer.request()
    let signedAt = TestSigner.signedAt
    try expect(nil, "", payload, now: signedAt - .seconds(300))
    try expect(.date, "found 2026-09-21T", payload, now: signedAt - .milliseconds(300_001))
    // A-39: an old one is still Apple's.
    try expect(nil, "", payload, now: signedAt + .seconds(86_400 * 400))
  }

  @Test func `Algorithms`() throws {
    let payload = TestSigner.object(TestSigner.notification)
    for algorithm in ["\"none\"", "\"ES384\"", "\"HS256\"", "\"es256\"", "\"\"", "null", "1"] {
      try expect(
        .algorithm, "notification: expected ES256",
        signer.sign(
          payload.replacing(
            "}", with: ",\"data\":{\"bundleId\":\"b\",\"environment\":\"Sandbox\"}}"
          )
          .replacing("CONSUMPTION_REQUEST", with: "TEST"),
          header: signer.header(algorithm: algorithm)))
    }
  }

  @Test func `A critical header is not understood`() throws {
    let header = signer.header().replacing("{\"alg\"", with: "{\"crit\":[\"b64\"],\"alg\"")
    try expect(.malformed, "crit", signer.sign("{}", header: header))
  }

  @Test func `A-30: Keys and signatures`() throws {
    try expect(.signature, "transaction: ", signer.request(innerKey: SigningKey()))
    let payload = try signer.request()
    let parts = payload.split(separator: ".").map(String.init)
    let signature = try #require(Base64URL.decode(parts[2]))
    for count in [0, 63, 65] {
      let changed = Array((signature + [0]).prefix(count))
      try expect(
        .signature, "expected 64 bytes, found \(count)",
        parts[0] + "." + parts[1] + "." + Base64URL.encode(changed))
    }
    try expect(.malformed, "base64url", payload + "=")
    try expect(.malformed, "base64url", payload.replacing(".", with: ".+", maxReplacements: 1))
  }

  @Test func `Chains`() throws {
    let der = signer.chain.der
    let payload = try #require(
      Base64URL.decode(signer.request().split(separator: ".")[1]))
    let text = String(decoding: payload, as: UTF8.self)
    func signed(_ header: String) throws -> String { try signer.sign(text, header: header) }
    try expect(.chain, "found 2", signed(signer.header(certificates: Array(der.prefix(2)))))
    try expect(.chain, "found 4", signed(signer.header(certificates: der + [der[2]])))
    try expect(.chain, "found no list", signed("{\"alg\":\"ES256\"}"))
    try expect(.chain, "found no list", signed("{\"alg\":\"ES256\",\"x5c\":\"x\"}"))
    try expect(.chain, "found no list", signed("{\"alg\":\"ES256\",\"x5c\":[1,2,3]}"))
    try expect(
      .chain, "not base64",
      signed(signer.header().replacing("\"x5c\":[\"", with: "\"x5c\":[\"\\n")))
    // Base64url is not what certificates are written in.
    try expect(.chain, "not base64", signed("{\"alg\":\"ES256\",\"x5c\":[\"-_-_\",\"\",\"\"]}"))
    let other = try TestSigner()
    try expect(.chain, "notification: ", other.request())
  }

  @Test func `A-27: Certificates are judged at the signed date`() throws {
    let expired = try TestSigner(TestChain { $0.leaf.notAfter = "20260921141319Z" })
    var verifier = try expired.verifier()
    let error = try #require(throws: SignedPayloadError.self) {
      try verifier.verify(expired.request(), now: TestSigner.now)
    }
    #expect(error.reason == .chain && error.detail.contains("not valid at the signed date"))
    let current = try TestSigner(TestChain { $0.leaf.notAfter = "20260921141320Z" })
    verifier = try current.verifier()
    // Years after the leaf ended the old payload still holds.
    _ = try verifier.verify(
      current.request(), now: TestSigner.signedAt + .seconds(86_400 * 1000))
  }

  @Test(arguments: ["Xcode", "LocalTesting", "PRODUCTION", "production", "Prod", " "])
  func `A-14, A-31: No other environment and no other spelling`(word: String) throws {
    let quoted = "\"\(word)\""
    try expect(
      .environment, "notification: expected Production or Sandbox, found \(word)",
      signer.request(data: ["environment": quoted]))
    try expect(
      .environment, "transaction: expected Production or Sandbox, found \(word)",
      signer.request(transaction: ["environment": quoted]))
    try expect(
      .environment, "renewal: expected Production or Sandbox, found \(word)",
      signer.request(renewal: ["environment": quoted]))
  }

  @Test func `What lies ahead of the environment is said first`() throws {
    try expect(
      .signature, "notification: ",
      signer.sign(
        "{\"notificationType\":\"TEST\",\"notificationUUID\":\"u\",\"version\":\"1.0\",\"signedDate\":1790000000000,\"data\":{\"bundleId\":\"b\",\"environment\":\"Xcode\"}}",
        key: SigningKey()))
    try expect(
      .version, "",
      signer.request(notification: ["version": "\"3.0\""], data: ["environment": "\"Xcode\""]))
  }

  @Test func `A-16, A-18: The field that does not fit is named, expected and found`() throws {
    let sandbox = AppIdentity(bundleId: "com.example", appAppleId: nil, environments: [.sandbox])
    let production = AppIdentity(
      bundleId: "com.example", appAppleId: 1234, environments: [.production])
    let payload = try signer.request()
    try expect(nil, "", payload, apps: [sandbox])
    try expect(.environment, "expected Production, found Sandbox", payload, apps: [production])
    try expect(
      .bundleId, "notification: expected com.example, found com.other",
      signer.request(data: ["bundleId": "\"com.other\""]))
    try expect(.environment, "expected nothing, found Sandbox", payload, apps: [])

    let inner: [String: String?] = ["environment": "\"Production\""]
    func produced(_ id: String?) throws -> String {
      try signer.request(
        data: ["environment": "\"Production\"", "appAppleId": id], transaction: inner,
        renewal: inner)
    }
    try expect(nil, "", produced("1234"))
    try expect(.appAppleId, "notification: expected 1234, found 99", produced("99"))
    try expect(.appAppleId, "expected 1234, found none", produced(nil))
    try expect(.appAppleId, "expected 1234, found none", produced("\"1234\""))
    try expect(nil, "", produced("99"), apps: nil)
    let unfinished = AppIdentity(
      bundleId: "com.example", appAppleId: nil, environments: [.production])
    try expect(.appAppleId, "expected nothing, found 1234", produced("1234"), apps: [unfinished])
  }

  @Test func `A-17: In the sandbox there is no Apple id to compare`() throws {
    try expect(nil, "", signer.request(data: ["appAppleId": "99"]))
  }

  @Test func `A-30: The parts must agree`() throws {
    try expect(
      .environment, "transaction: expected Sandbox, found Production",
      signer.request(transaction: ["environment": "\"Production\""]))
    try expect(
      .bundleId, "transaction: expected com.example, found com.other",
      signer.request(transaction: ["bundleId": "\"com.other\""]))
    try expect(
      .environment, "renewal: expected Sandbox, found Production",
      signer.request(renewal: ["environment": "\"Production\""]))
    try expect(
      .malformed, "renewal: expected originalTransactionId 12345, found 99",
      signer.request(renewal: ["originalTransactionId": "\"99\""]))
    try expect(
      .bundleId, "transaction: ", signer.request(transaction: ["bundleId": "\"com.other\""]),
      apps: nil)
  }

  @Test(arguments: [
    "transactionId", "originalTransactionId", "bundleId", "productId", "type", "purchaseDate",
    "signedDate", "environment",
  ])
  func `What identifies a transaction must be there and be right`(key: String) throws {
    for value in [nil, "null", "[]", "true", "\"\""] as [String?] {
      try expect(.malformed, "transaction: \(key)", signer.request(transaction: [key: value]))
    }
  }

  @Test func `A request without its transaction cannot be one`() throws {
    try expect(
      .malformed, "signedTransactionInfo", signer.request(data: ["signedTransactionInfo": nil]))
    try expect(
      .malformed, "signedTransactionInfo", signer.request(data: ["signedTransactionInfo": "7"]))
    try expect(
      .malformed, "transaction: ", signer.request(data: ["signedTransactionInfo": "\"x\""]))
    try expect(.malformed, "renewal: ", signer.request(data: ["signedRenewalInfo": "\"\""]))
    try expect(nil, "", signer.request(data: ["signedRenewalInfo": nil]))
  }

  @Test func `Details never repeat a payload`() throws {
    let long = String(repeating: "x", count: 5000)
    try expect(.environment, "", signer.request(data: ["environment": "\"\(long)\""]))
    try expect(.bundleId, "", signer.request(data: ["bundleId": "\"\(long)\""]))
    try expect(
      .bundleId, "found a\\u{1b}[31m", signer.request(data: ["bundleId": "\"a\\u001b[31m\""]))
    try expect(
      .environment, "found [token]",
      signer.request(data: ["environment": "\"\(signer.sign("{}"))\""]))
  }
}
