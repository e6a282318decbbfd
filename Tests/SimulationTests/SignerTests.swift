import AppStore
import Crypto
import Simulation
import Testing

@Suite("Signed notifications")
struct SignerTests {
  let signer: NotificationSigner
  let chain: SigningChain

  init() throws {
    chain = try SigningChain()
    signer = NotificationSigner(chain: chain)
  }

  func verify(_ payload: String, now: Instant = .now()) throws -> VerifiedNotification {
    var verifier = NotificationVerifier(
      anchors: try chain.anchors,
      apps: [
        AppIdentity(
          bundleId: "com.example.app", appAppleId: 1_234_567_890,
          environments: [.production, .sandbox])
      ])
    return try verifier.verify(payload, now: now)
  }

  @Test("a consumption request holds and says what it was told")
  func consumptionRequest() throws {
    let signedAt = Instant.now() - .seconds(60)
    let verified = try verify(
      signer.consumptionRequest(
        transaction: .month("2001", token: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
        reason: "LEGAL", signedAt: signedAt, uuid: "11111111-2222-4333-8444-555555555555"))
    #expect(verified.notification.type == "CONSUMPTION_REQUEST")
    #expect(verified.notification.uuid == "11111111-2222-4333-8444-555555555555")
    #expect(verified.notification.consumptionRequestReason == "LEGAL")
    #expect(verified.notification.signedAt.milliseconds == signedAt.milliseconds)
    let transaction = try #require(verified.transaction)
    #expect(transaction.transactionId == "2001")
    #expect(transaction.originalTransactionId == "1000")
    #expect(transaction.productType == .autoRenewable)
    #expect(transaction.purchaseDate == .firstOfNovember)
    #expect(transaction.expiresDate == .firstOfNovember + .seconds(86_400 * 30))
    #expect(transaction.price == 9990)
    #expect(verified.renewal?.originalTransactionId == "1000")
  }

  @Test("every kind of notification holds")
  func kinds() throws {
    let month = TransactionDraft.month("2002")
    let coins = TransactionDraft.oneTime(id: "2003", purchased: .firstOfNovember)
    let payloads = try [
      "CONSUMPTION_REQUEST": signer.consumptionRequest(transaction: coins, reason: nil),
      "REFUND": signer.refund(transaction: month, percentage: 56_500),
      "REFUND_DECLINED": signer.refundDeclined(transaction: month),
      "REFUND_REVERSED": signer.refundReversed(transaction: month),
      "DID_RENEW": signer.renewal(transaction: month, subtype: "BILLING_RECOVERY"),
      "TEST": signer.test(),
      "RENEWAL_EXTENSION": signer.summary(),
      "RESCIND_CONSENT": signer.rescindConsent(appTransactionId: "704"),
      "NEW_THING": signer.notification("NEW_THING", transaction: month),
    ]
    for (type, payload) in payloads {
      #expect(try verify(payload).notification.type == type)
    }
    let refund = try verify(payloads["REFUND"] ?? "")
    #expect(refund.transactionJSON?.contains(#""revocationPercentage":56500"#) == true)
    let rescinded = try verify(payloads["RESCIND_CONSENT"] ?? "")
    #expect(try rescinded.appTransaction?.get().appTransactionId == "704")
  }

  @Test("a Sandbox notification names no appAppleId")
  func sandbox() throws {
    var sandbox = signer
    sandbox.environment = .sandbox
    let verified = try verify(sandbox.consumptionRequest(transaction: .month("2004")))
    #expect(verified.notification.environment == .sandbox)
    #expect(verified.notification.appAppleId == nil)
  }

  @Test("the certificates say that they are not Apple's")
  func names() throws {
    let texts = chain.x5c.map { String(decoding: $0.der, as: UTF8.self) }
    #expect(texts.allSatisfy { $0.contains("NOT APPLE") })
  }

  @Test(
    "A-29, A-30, A-31: each forgery is refused, with its reason",
    arguments: [
      (.otherKey, .signature), (.changedPayload, .signature), (.shortSignature, .signature),
      (.algorithmNone, .algorithm), (.withoutChain, .chain), (.twoCertificates, .chain),
      (.fourCertificates, .chain), (.otherRoot, .chain), (.unmarkedLeaf, .chain),
      (.unmarkedIntermediate, .chain), (.otherBundleInside, .bundleId),
      (.otherEnvironmentInside, .environment), (.otherRootInside, .chain),
      (.otherSubscriptionInside, nil), (.otherBundle, .bundleId), (.xcode, .environment),
    ] as [(Forgery, RejectionReason?)])
  func forgeries(forgery: Forgery, reason: RejectionReason?) throws {
    let payload = try signer.forged(forgery, transaction: .month("2005"))
    let error = #expect(throws: SignedPayloadError.self) { try verify(payload) }
    if let reason { #expect(error?.reason == reason, "\(forgery): \(error?.detail ?? "")") }
  }

  @Test("the App Store knows what was signed for it")
  func issued() throws {
    let store = try SimulatedAppStore(Credentials().settings)
    let signer = NotificationSigner(chain: chain, store: store)
    _ = try signer.consumptionRequest(transaction: .month("2006"))
    #expect(store.transactions["2006"]?.type == "Auto-Renewable Subscription")
    #expect(store.transactions["2007"] == nil)
  }
}
