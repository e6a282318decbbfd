import AppStore
import PostgreSQL
import Simulation
import Testing

@Suite("What goes to Apple") struct BodyTests {
  @Test("A-01: the exact bytes for each product type", arguments: ProductType.allCases)
  func bytes(type: ProductType) async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction =
        type == .autoRenewable
        ? bench.subscription(token: token)
        : .oneTime(
          type, id: Bench.transactionId(), token: token, purchased: .now() - .seconds(2 * 86_400))
      let asked = try bench.ask(token: token, transaction: transaction)
      try await bench.drain()
      #expect(
        bench.bodies(asked) == [
          #"{"customerConsented":true,"deliveryStatus":"DELIVERED","refundPreference":"DECLINE","#
            + #""sampleContentProvided":false}"#
        ])
      let request = try bench.store.requests(for: asked.transaction).first.orThrow("the request")
      #expect(request.method == "PUT")
      #expect(request.path == "/inApps/v2/transactions/consumption/\(asked.transaction)")
      #expect(request.isAccepted)
      let row = try await bench.wait(asked, for: "answered")
      #expect(row["product_type"] == type.rawValue)
      // The column is jsonb: the same members in another order.
      let stored = try JSONValue(text: row["body"].orThrow("body"))?.object
      #expect(
        stored?.keys.sorted() == [
          "customerConsented", "deliveryStatus", "refundPreference", "sampleContentProvided",
        ])
    }
  }

  @Test("C-05: without a policy there is no refundPreference") func noPolicy() async throws {
    try await Bench.run {
      $0["response", "refundPreference"] = nil
    } _: { bench in
      let asked = try bench.askHeavy()
      try await bench.drain()
      #expect(
        bench.bodies(asked) == [
          #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#
        ])
      try await bench.wait(asked, for: "answered")
    }
  }

  @Test("A-03: a renewal is answered by its own id and its own month") func renewal() async throws {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      let first = bench.subscription(token: token)
      let start = Instant.now() - .seconds(12 * 86_400)
      // Usage of the month before, which belongs to another charge.
      try bench.use(id, dollars: "50", at: start - .milliseconds(1))
      try bench.use(id, dollars: "1.5", at: start + .seconds(1))
      let second = bench.subscription(token: token, originalId: first.id)
      let asked = try bench.ask(token: token, transaction: second)
      try await bench.drain()
      let row = try await bench.wait(asked, for: "answered")
      #expect(row["transaction_id"] == second.id)
      #expect(row["original_transaction_id"] == first.id)
      #expect(row["cost"] == "1.5")
      #expect(bench.store.requests.map(\.transactionId) == [second.id])
      for (column, field) in [("period_start", "purchaseDate"), ("period_end", "expiresDate")] {
        let stored = try row[column].flatMap { Instant(iso8601: $0) }.orThrow(column)
        #expect(stored.milliseconds == second[field]?.integer)
      }
    }
  }

  @Test(
    "A-06, A-07: without a token the second query finds the customer, or nobody does",
    arguments: [nil, "", "00000000-0000-0000-0000-000000000000"])
  func secondMapping(token: String?) async throws {
    try await Bench.run { bench in
      // Whoever treats an empty token as one answers for this account.
      let ghost = try bench.account().id
      try bench.database.query(
        "UPDATE account SET app_account_token = '00000000-0000-0000-0000-000000000000' WHERE id = $1",
        .int(ghost))
      try bench.use(ghost, dollars: "100")
      let (id, _) = try bench.account()
      try bench.use(id, dollars: "2")
      let known = bench.subscription(token: token)
      try bench.database.query("INSERT INTO purchase VALUES ($1, $2)", .text(known.id), .int(id))
      let asked = try bench.ask(token: token, transaction: known)
      let stranger = try bench.ask(token: token)
      try await bench.drain()
      let row = try await bench.wait(asked, for: "answered")
      #expect(row["customer"] == "\(id)")
      #expect(row["cost"] == "2")
      #expect(try await bench.wait(stranger, for: "held").reason == "customer_unknown")
      #expect(bench.bodies(stranger).isEmpty)
    }
  }

  @Test("A-08: a token that two customers share is nobody's") func ambiguousCustomer() async throws
  {
    try await Bench.run { bench in
      let (_, token) = try bench.account()
      let (other, _) = try bench.account()
      try bench.database.query(
        "UPDATE account SET app_account_token = $1 WHERE id = $2", .typed(token, TypeID.uuid),
        .int(other))
      let asked = try bench.ask(token: token)
      try await bench.drain()
      #expect(try await bench.wait(asked, for: "held").reason == "customer_ambiguous")
      #expect(bench.store.requests.isEmpty)
    }
  }

  @Test("A-19, C-12: words that nobody knew yet stop nothing and are kept") func unknownWords()
    async throws
  {
    try await Bench.run { bench in
      let (id, token) = try bench.account()
      try bench.use(id, dollars: "9")
      let transaction = bench.subscription(token: token)
        .with("billingPlanType", "WEEKLY").with("revocationType", "Y")
        .with("inAppOwnershipType", "PURCHASED").with("newField", ["deep": [1, .number("2.0")]])
        .with("offerType", 99).with("transactionReason", "GIFT")
      let odd = try bench.ask(token: token, transaction: transaction, reason: "X_NEW")
      let absent = try bench.ask(token: token, reason: nil)
      let verbatim = try bench.ask(token: token, reason: "LEGAL")
      let other = try bench.enqueue(
        bench.signer.notification(
          "NEW_THING", subtype: "NEWER", transaction: bench.subscription(token: token),
          data: ["odd": ["x": 1]]))
      try await bench.drain()
      let row = try await bench.wait(odd, for: "answered")
      #expect(row["reason"] == "X_NEW")
      #expect(row["billing_plan"] == "WEEKLY")
      #expect(try await bench.wait(absent, for: "answered")["reason"] == nil)
      #expect(try await bench.wait(verbatim, for: "answered")["reason"] == "LEGAL")
      #expect(try bench.row(other) == nil)
      #expect(
        try bench.database.isTrue(
          "SELECT done FROM consumptiond.inbox WHERE id = $1", .int(other)))
      #expect(try bench.database.value("SELECT count(*) FROM consumptiond.rejected") == "0")
    }
  }
}
