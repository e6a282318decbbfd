import AppStore
import Testing

@Suite struct APICallTests {
  private let body = ConsumptionBody.autoRenewable(
    deliveryStatus: .delivered, sampleContentProvided: false)

  @Test func `A-02, A-03: PUT to the second version, for this transaction`() {
    let call = APICall.sendConsumption(transactionId: "23456", body: body)
    #expect(call.method == "PUT")
    #expect(call.path == "/inApps/v2/transactions/consumption/23456")
    #expect(call.body == body.json)
  }

  @Test func `An id stays one segment of the path`() {
    let call = APICall.sendConsumption(transactionId: "../a?b#c%/é", body: body)
    #expect(
      call.path == "/inApps/v2/transactions/consumption/%2E%2E%2Fa%3Fb%23c%25%2F%C3%A9")
  }

  @Test func `A-13: Each environment has its own host`() {
    #expect(Environment.production.apiURL == "https://api.storekit.apple.com")
    #expect(Environment.sandbox.apiURL == "https://api.storekit-sandbox.apple.com")
  }
}
