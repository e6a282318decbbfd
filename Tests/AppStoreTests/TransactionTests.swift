import Testing

@testable import AppStore

@Suite struct TransactionTests {
  private func read(_ changes: [String: String?]) throws -> Transaction {
    let signer = try TestSigner()
    var verifier = try signer.verifier()
    let verified = try verifier.verify(
      signer.request(transaction: changes), now: TestSigner.now)
    return try #require(verified.transaction)
  }

  @Test func `A-19, A-23, E-15: Evidence of a wrong type is absent and stops nothing`() throws {
    for value in [
      "\"10990\"", "9223372036854775808", "9990.5", "1e308", "true", "{}", "[1]", "null", "1e999",
    ] {
      let transaction = try read([
        "price": value, "quantity": value, "offerType": value, "revocationPercentage": value,
        "currency": "7", "storefront": "[]", "isUpgraded": "\"yes\"", "commitmentInfo": "\"x\"",
        "billingPlanType": "1", "offerDiscountType": "{}", "inAppOwnershipType": "3",
        "expiresDate": "\"soon\"", "originalPurchaseDate": "[]", "webOrderLineItemId": "5",
      ])
      #expect(transaction.price == nil && transaction.quantity == nil)
      #expect(transaction.offerType == nil && transaction.currency == nil)
      #expect(transaction.expiresDate == nil && transaction.commitment == nil)
      #expect(transaction.ownership == nil && !transaction.isUpgraded)
    }
  }

  @Test func `The largest price fits`() throws {
    #expect(try read(["price": "9223372036854775807"]).price == .max)
    #expect(try read(["price": "0"]).price == 0)
  }

  @Test(arguments: [
    "\"00000000-0000-0000-0000-000000000000\"", "\"\"", "null", "7", "\"not-a-uuid\"", "{}",
  ])
  func `A-07, A-08: A token that names nobody is no token`(value: String) throws {
    #expect(try read(["appAccountToken": value]).appAccountToken == nil)
  }

  @Test func `A-06: A token is kept as Apple wrote it`() throws {
    let token = "7E3FB20B-4cdb-47cc-936d-99d65f608138"
    #expect(try read(["appAccountToken": "\"\(token)\""]).appAccountToken == token)
    #expect(try read(["appAccountToken": nil]).appAccountToken == nil)
  }

  @Test func `Advanced Commerce is recognised by the object, whatever it holds`() throws {
    #expect(try read(["advancedCommerceInfo": "{}"]).isAdvancedCommerce)
    #expect(try read(["advancedCommerceInfo": "\"?\""]).isAdvancedCommerce)
    #expect(try !read([:]).isAdvancedCommerce)
  }

  @Test func `A refund says when, how and how much`() throws {
    let revocation = try #require(
      try read([
        "revocationDate": "1789999999000", "revocationType": "\"REFUND_PRORATED\"",
        "revocationReason": "1", "revocationPercentage": "56500",
      ]).revocation)
    #expect(revocation.date == Instant(milliseconds: 1_789_999_999_000))
    #expect(revocation.type == "REFUND_PRORATED")
    #expect(revocation.reason == 1 && revocation.percentage == 56_500)
    #expect(try read([:]).revocation == nil)
  }

  @Test func `A type that Apple adds later is kept and is none of the four`() throws {
    let transaction = try read(["type": "\"Seat Subscription\""])
    #expect(transaction.type == "Seat Subscription" && transaction.productType == nil)
  }

  @Test func `What was stored after verification is read back as itself`() throws {
    let signer = try TestSigner()
    var verifier = try signer.verifier()
    let verified = try verifier.verify(signer.request(), now: TestSigner.now)
    #expect(try Transaction(json: #require(verified.transactionJSON)) == verified.transaction)
    #expect(try RenewalInfo(json: #require(verified.renewalJSON)) == verified.renewal)
    let error = #expect(throws: SignedPayloadError.self) { try Transaction(json: "{\"secret\":") }
    #expect(error?.reason == .malformed && error?.detail.contains("secret") == false)
  }
}
