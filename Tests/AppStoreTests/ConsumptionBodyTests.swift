import AppStore
import Testing

@Suite struct ConsumptionBodyTests {
  @Test func `A-01: The three required keys are always there, false and 0 too`() throws {
    let body = ConsumptionBody.autoRenewable(
      deliveryStatus: .delivered, sampleContentProvided: false)
    #expect(
      body.json
        == "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":false}"
    )
    let unused = try ConsumptionBody.oneTime(
      deliveryStatus: .undeliveredServerOutage, sampleContentProvided: true,
      consumptionPercentage: 0, refundPreference: .grantFull)
    #expect(
      unused.json
        == "{\"consumptionPercentage\":0,\"customerConsented\":true,\"deliveryStatus\":\"UNDELIVERED_SERVER_OUTAGE\",\"refundPreference\":\"GRANT_FULL\",\"sampleContentProvided\":true}"
    )
  }

  @Test func `B-14: A subscription has no percentage, with any preference`() {
    for preference in RefundPreference.allCases {
      let body = ConsumptionBody.autoRenewable(
        deliveryStatus: .delivered, sampleContentProvided: true, refundPreference: preference)
      #expect(body.consumptionPercentage == nil)
      #expect(!body.json.contains("consumptionPercentage"))
      #expect(body.json.contains("\"refundPreference\":\"\(preference.rawValue)\""))
    }
  }

  @Test(arguments: [nil, -1, 0, 1, 37_500, 99_999, 100_000, 100_001])
  func `The table of constraints for one-time purchases`(percentage: Int?) throws {
    for delivery in DeliveryStatus.allCases {
      for preference in RefundPreference.allCases.map(Optional.some) + [nil] {
        let inRange = percentage.map { (0...100_000).contains($0) } ?? true
        let agrees = delivery == .delivered || (percentage ?? 0) == 0
        let prorated =
          preference != .grantProrated || percentage.map { $0 > 0 && $0 < 100_000 } == true
        let body = try? ConsumptionBody.oneTime(
          deliveryStatus: delivery, sampleContentProvided: true,
          consumptionPercentage: percentage, refundPreference: preference)
        #expect((body != nil) == (inRange && agrees && prorated))
        if let body { #expect(ConsumptionBody(json: body.json)?.json == body.json) }
      }
    }
  }

  @Test func `Each refusal says why`() {
    #expect(throws: ConsumptionBodyError.percentageOutOfRange(100_001)) {
      try ConsumptionBody.oneTime(
        deliveryStatus: .delivered, sampleContentProvided: true, consumptionPercentage: 100_001)
    }
    #expect(throws: ConsumptionBodyError.undeliveredButUsed(1)) {
      try ConsumptionBody.oneTime(
        deliveryStatus: .undeliveredOther, sampleContentProvided: true, consumptionPercentage: 1)
    }
    #expect(throws: ConsumptionBodyError.proratedWithoutShare(nil)) {
      try ConsumptionBody.oneTime(
        deliveryStatus: .delivered, sampleContentProvided: true, refundPreference: .grantProrated)
    }
  }

  @Test func `The same bytes come back out of a jsonb`() throws {
    let body = try ConsumptionBody.oneTime(
      deliveryStatus: .delivered, sampleContentProvided: false, consumptionPercentage: 37_500,
      refundPreference: .grantProrated)
    let stored = """
      {"deliveryStatus": "DELIVERED", "refundPreference": "GRANT_PRORATED", \
      "customerConsented": true, "consumptionPercentage": 37500, "sampleContentProvided": false}
      """
    #expect(ConsumptionBody(json: stored) == body)
    let subscription = ConsumptionBody.autoRenewable(
      deliveryStatus: .delivered, sampleContentProvided: true, refundPreference: .grantProrated)
    #expect(ConsumptionBody(json: subscription.json) == subscription)
  }

  @Test(arguments: [
    "", "{}", "[]",
    "{\"customerConsented\":false,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":true}",
    "{\"customerConsented\":true,\"deliveryStatus\":\"delivered\",\"sampleContentProvided\":true}",
    "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\"}",
    "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":true,\"x\":1}",
    "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":true,\"refundPreference\":null}",
    "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":true,\"consumptionPercentage\":1.5}",
  ])
  func `What no body says is read as none`(text: String) {
    #expect(ConsumptionBody(json: text) == nil)
  }

  @Test func `Without its optional keys`() throws {
    let body = try ConsumptionBody.oneTime(
      deliveryStatus: .delivered, sampleContentProvided: false, consumptionPercentage: 5,
      refundPreference: .decline)
    #expect(body.hasOptionals && !body.withoutOptionals.hasOptionals)
    #expect(
      body.withoutOptionals.json
        == "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":false}"
    )
  }
}
