import Crypto
import TestCertificates
import Testing

@testable import AppStore

/// what Apple may send besides a request.
@Suite struct NotificationTypeTests {
  private let signer: TestSigner

  init() throws {
    signer = try TestSigner()
  }

  private func verify(
    _ type: String, _ members: [String: String?]
  ) throws -> VerifiedNotification {
    var verifier = try signer.verifier()
    let payload = TestSigner.object(
      TestSigner.notification.merging(members) { $1 }, ["notificationType": "\"\(type)\""])
    return try verifier.verify(signer.sign(payload), now: TestSigner.now)
  }

  private let data = "{\"bundleId\":\"com.example\",\"environment\":\"Sandbox\"}"

  @Test func `A-19: Unknown types, subtypes and fields stop nothing`() throws {
    let verified = try verify(
      "NEW_THING",
      ["data": data, "subtype": "\"NEWER\"", "future": "{\"a\":[1,{\"b\":1e308}]}"])
    #expect(verified.notification.type == "NEW_THING")
    #expect(verified.notification.subtype == "NEWER")
    #expect(verified.transaction == nil)
  }

  @Test func `A-20: Each of the four contents is recognised and its identity checked`() throws {
    for (type, key) in [("TEST", "data"), ("RENEWAL_EXTENSION", "summary")] {
      _ = try verify(type, [key: data])
      let error = #expect(throws: SignedPayloadError.self) {
        try verify(type, [key: data.replacing("com.example", with: "com.other")])
      }
      #expect(error?.reason == .bundleId)
    }
    let token =
      "{\"bundleId\":\"com.example\",\"externalPurchaseId\":\"SANDBOX_1\",\"appAppleId\":5}"
    #expect(
      try verify("EXTERNAL_PURCHASE_TOKEN", ["externalPurchaseToken": token])
        .notification.environment == .sandbox)
    let error = #expect(throws: SignedPayloadError.self) {
      try verify(
        "EXTERNAL_PURCHASE_TOKEN",
        ["externalPurchaseToken": token.replacing("SANDBOX_1", with: "b2158121")])
    }
    #expect(error?.reason == .appAppleId)
  }

  @Test func `A payload without any of them says nothing about whom it is for`() throws {
    let error = #expect(throws: SignedPayloadError.self) { try verify("TEST", [:]) }
    #expect(error?.reason == .malformed)
  }

  @Test func `C-12: The reason is a word, or absent`() throws {
    for (value, expected) in [
      ("\"UNINTENDED_PURCHASE\"", "UNINTENDED_PURCHASE"), ("\"NEW\"", "NEW"),
      ("{\"reason\":\"OTHER\"}", nil), ("null", nil), ("\"\"", nil),
    ] as [(String, String?)] {
      var verifier = try signer.verifier()
      let payload = try signer.request(data: ["consumptionRequestReason": value])
      let verified = try verifier.verify(payload, now: TestSigner.now)
      #expect(verified.notification.consumptionRequestReason == expected)
    }
  }

  private static let appTransaction: [String: String?] = [
    "appTransactionId": "\"71134\"", "bundleId": "\"com.example\"",
    "receiptType": "\"Sandbox\"", "receiptCreationDate": "1789000000000",
  ]

  private func rescind(_ changes: [String: String?], key: SigningKey? = nil) throws
    -> Result<AppTransaction, SignedPayloadError>?
  {
    let jws = try signer.sign(TestSigner.object(Self.appTransaction, changes), key: key)
    return try verify(
      "RESCIND_CONSENT",
      [
        "appData":
          "{\"bundleId\":\"com.example\",\"environment\":\"Sandbox\",\"signedAppTransactionInfo\":\"\(jws)\"}"
      ]
    ).appTransaction
  }

  @Test func `RESCIND_CONSENT says whose consent, by its own receipt date`() throws {
    let found = try #require(try rescind([:])).get()
    #expect(found.appTransactionId == "71134")
    #expect(found.createdAt == Instant(milliseconds: 1_789_000_000_000))
  }

  @Test func `RESCIND_CONSENT whose app transaction does not hold is accepted and says so`() throws
  {
    let cases: [([String: String?], SigningKey?, RejectionReason)] = [
      ([:], SigningKey(), .signature), (["receiptType": "\"Xcode\""], nil, .environment),
      (["receiptType": "\"Production\""], nil, .environment),
      (["bundleId": "\"com.other\""], nil, .bundleId), (["appTransactionId": nil], nil, .malformed),
      (["receiptCreationDate": "1789000000"], nil, .date),
    ]
    for (changes, key, reason) in cases {
      let result = try #require(try rescind(changes, key: key))
      let error = #expect(throws: SignedPayloadError.self) { try result.get() }
      #expect(error?.reason == reason)
      #expect(error?.detail.hasPrefix("app transaction: ") == true)
    }
  }
}
