import AppStore
import Decision
import Testing

@Suite("Periods") struct PeriodTests {
  private let start = Samples.start
  private let end = Samples.end
  private let day = Samples.day

  @Test("a period is the transaction's two instants, exactly") func period() throws {
    let period = try #require(BillingPeriod(try Samples.transaction()))
    #expect(period == BillingPeriod(start: start, end: end))
  }

  @Test("a purchase without end has a start alone") func consumable() throws {
    let period = try #require(BillingPeriod(try Samples.consumable()))
    #expect(period == BillingPeriod(start: start, end: nil))
  }

  @Test(
    "D-18: a missing or inverted end gives no period",
    arguments: [
      nil, "\(Samples.start.milliseconds)", "\(Samples.start.milliseconds - 1)",
    ] as [String?])
  func noPeriod(expires: String?) throws {
    #expect(BillingPeriod(try Samples.transaction(["expiresDate": expires])) == nil)
  }

  @Test("A-19: a product type that is new has no period without an end") func newType() throws {
    let changes: [String: String?] = ["type": "\"Lease\"", "expiresDate": nil]
    #expect(BillingPeriod(try Samples.transaction(changes)) == nil)
    #expect(BillingPeriod(try Samples.transaction(["type": "\"Lease\""])) != nil)
  }

  /// Days after the start.
  struct WindowCase: Sendable {
    var end: Int? = 30
    var later: Int?
    var revoked: Int?
    var now = 12
    let until: Int?
  }

  @Test(
    "usage runs until the earliest end",
    arguments: [
      WindowCase(until: 12), WindowCase(now: 40, until: 30), WindowCase(now: 30, until: 30),
      WindowCase(later: 5, until: 5), WindowCase(revoked: 7, until: 7),
      WindowCase(later: 9, revoked: 7, now: 8, until: 7),
      WindowCase(later: 9, revoked: 10, now: 8, until: 8),
      WindowCase(later: 35, now: 50, until: 30), WindowCase(end: nil, until: 12),
      WindowCase(end: nil, revoked: 3, until: 3),
      // Nothing lies in between: unknown, not 0.
      WindowCase(now: 0, until: nil), WindowCase(now: -1, until: nil),
      WindowCase(later: 0, until: nil), WindowCase(revoked: -2, until: nil),
    ])
  func window(_ example: WindowCase) {
    let at = { (days: Int) in start + day * days }
    let window = UsageWindow(
      BillingPeriod(start: start, end: example.end.map(at)),
      laterTransaction: example.later.map(at), revokedAt: example.revoked.map(at),
      now: at(example.now))
    #expect(window?.until == example.until.map(at))
    #expect(window == nil || window?.start == start)
  }

  @Test(
    "the position by renewal date and later transactions",
    arguments: [
      (30, false, .current), (31, false, .past), (29, false, .unknown), (nil, false, .unknown),
      (30, true, .past), (nil, true, .past), (29, true, .past),
    ] as [(Int?, Bool, PeriodPosition)])
  func position(renewal: Int?, later: Bool, position: PeriodPosition) throws {
    let info = try Samples.renewal(at: renewal.map { start + day * $0 })
    let transaction = try Samples.transaction()
    #expect(
      PeriodPosition(transaction, renewal: info, laterTransactionIsKnown: later) == position)
  }

  @Test("a position without renewal info, of an upgrade, of one-time purchases") func others()
    throws
  {
    let renewal = try Samples.renewal(at: end)
    let cases: [(Transaction, RenewalInfo?, PeriodPosition)] = [
      (try Samples.transaction(), nil, .unknown),
      (try Samples.transaction(["isUpgraded": "true"]), renewal, .past),
      (try Samples.transaction(["expiresDate": nil]), renewal, .unknown),
      (try Samples.consumable(), nil, .notApplicable),
      (try Samples.consumable(["type": "\"Non-Renewing Subscription\""]), nil, .notApplicable),
      (try Samples.consumable(["type": "\"Lease\""]), nil, .unknown),
    ]
    for (transaction, renewal, position) in cases {
      #expect(
        PeriodPosition(transaction, renewal: renewal, laterTransactionIsKnown: false) == position)
    }
  }
}
