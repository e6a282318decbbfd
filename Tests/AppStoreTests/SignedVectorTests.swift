import Crypto
import FoundationEssentials
import TestCertificates
import Testing

@testable import AppStore

/// Notifications that an independent program signed on the libraries' test chain.
@Suite(.disabled(if: SharedVectors.isMissing, "../shared/vectors is not there"))
struct SignedVectorTests {
  private struct Index: Decodable {
    struct Vector: Decodable {
      let file: String
      let valid: Bool
      let reason: String?
    }
    let root: String
    let bundleId: String
    let appAppleId: Int64
    let signedDate: Int64
    let vectors: [Vector]
  }

  private let index: Index
  private let anchors: TrustAnchors
  private let now: Instant

  init() throws {
    index = try JSONDecoder().decode(Index.self, from: SharedVectors.data("signed/index.json"))
    anchors = try TrustAnchors(
      certificates: [Array(SharedVectors.data("signed/" + index.root))])
    now = Instant(milliseconds: index.signedDate) + .seconds(60)
  }

  private func verifier(_ apps: [AppIdentity]?) -> NotificationVerifier {
    NotificationVerifier(anchors: anchors, apps: apps)
  }

  private var app: AppIdentity {
    AppIdentity(
      bundleId: index.bundleId, appAppleId: index.appAppleId,
      environments: [.production, .sandbox])
  }

  private func payload(_ file: String) throws -> String {
    SignedPayload.extract(try SharedVectors.text("signed/" + file))
  }

  @Test func `Every verdict and reason is the index's, with a warm cache and a cold one`() throws {
    #expect(index.vectors.count == 46)
    var warm = verifier([app])
    for _ in 0..<2 {
      for vector in index.vectors {
        var cold = verifier([app])
        #expect(try verdict(&warm, vector.file) == (vector.valid ? "valid" : vector.reason))
        #expect(try verdict(&cold, vector.file) == (vector.valid ? "valid" : vector.reason))
      }
    }
    // The genuine header, and the one of the payload that was changed behind it, are one.
    #expect(warm.cachedChains == 1)
  }

  private func verdict(_ verifier: inout NotificationVerifier, _ file: String) throws -> String {
    let payload = try payload(file)
    do throws(SignedPayloadError) {
      _ = try verifier.verify(payload, now: now)
      return "valid"
    } catch {
      return error.reason.rawValue
    }
  }

  @Test func `Without apps signatures and agreement alone are asked for`() throws {
    var verifier = verifier(nil)
    for vector in index.vectors {
      #expect(try verdict(&verifier, vector.file) == (vector.valid ? "valid" : vector.reason))
    }
  }

  @Test func `A-03: A renewal is identified by its own transaction`() throws {
    var verifier = verifier([app])
    let verified = try verifier.verify(payload("consumption-subscription.jws"), now: now)
    let transaction = try #require(verified.transaction)
    #expect(transaction.transactionId == "2000000901000305")
    #expect(transaction.originalTransactionId == "2000000900000001")
    #expect(transaction.purchaseDate == Instant(milliseconds: 1_788_963_200_000))
    #expect(transaction.expiresDate == Instant(milliseconds: 1_791_555_200_000))
    #expect(transaction.productType == .autoRenewable)
    #expect(transaction.price == 9990 && transaction.currency == "EUR")
    #expect(verified.renewal?.renewalDate == transaction.expiresDate)
    #expect(verified.transactionJSON?.contains("\"2000000901000305\"") == true)
  }

  @Test func `A date with a fraction, a 64-bit price, a commitment, unknown words`() throws {
    var verifier = verifier([app])
    func transaction(_ name: String) throws -> Transaction {
      let payload = try payload("consumption-\(name).jws")
      return try #require(try verifier.verify(payload, now: now).transaction)
    }
    #expect(
      try transaction("fraction-of-ms").purchaseDate
        == Instant(microseconds: 1_788_963_200_000_730))
    #expect(try transaction("huge-price").price == 3_000_000_000_000)
    let commitment = try transaction("commitment-3-of-12")
    #expect(commitment.commitment?.billingPeriodNumber == 3)
    #expect(commitment.commitment?.totalBillingPeriods == 12)
    #expect(try transaction("unknown-words").billingPlanType == "WEEKLY")
    #expect(try transaction("zero-token").appAccountToken == nil)
    #expect(try transaction("no-token").appAccountToken == nil)
    #expect(try transaction("advanced-commerce").isAdvancedCommerce)
    #expect(try transaction("family").isFamilyShared)
    #expect(try transaction("assigned").isAssigned)
    #expect(try transaction("consumable").expiresDate == nil)
  }

  @Test func `The app transaction of a RESCIND_CONSENT is judged apart`() throws {
    var verifier = verifier([app])
    let verified = try verifier.verify(payload("rescind-consent.jws"), now: now)
    #expect(throws: SignedPayloadError.self) { try verified.appTransaction?.get() }
  }

  @Test func `A-31: What Xcode signed is not the App Store's`() throws {
    for name in ["xcode-signed-transaction", "xcode-signed-renewal-info"] {
      var verifier = verifier(nil)
      let payload = try SharedVectors.text("apple/xcode/" + name)
      #expect(throws: SignedPayloadError.self) { try verifier.verify(payload, now: now) }
    }
  }
}
