import AppStore
import PostgreSQL
import Simulation
import TestSupport

/// A request that was enqueued.
struct Asked: Sendable {
  let id: Int
  let transaction: String
}

/// A row of `consumptiond.request`.
struct RequestRow: Sendable {
  let fields: JSONObject

  subscript(name: String) -> String? {
    switch fields[name] {
    case nil, .null: nil
    case .string(let text): text
    case let value?: value.text
    }
  }

  var state: String { self["state"] ?? "" }
  var reason: String? { self["state_reason"] }
  var attempts: Int { self["attempts"].flatMap { Int($0) } ?? -1 }
  /// The tries, in order.
  var tries: [JSONObject] {
    guard case .array(let tries)? = fields["tries"] else { return [] }
    return tries.compactMap(\.object)
  }
}

extension Bench {
  /// Enqueues a request for a subscription of the account's.
  func ask(
    token: String?, transaction: TransactionDraft? = nil, reason: String? = "UNINTENDED_PURCHASE",
    signedAt: Instant = .now()
  ) throws -> Asked {
    let transaction = transaction ?? subscription(token: token)
    let payload = try signer.consumptionRequest(
      transaction: transaction, reason: reason, signedAt: signedAt)
    return Asked(id: try enqueue(payload), transaction: transaction.id)
  }

  /// A consenting customer with 9 dollars of usage asks for a refund.
  func askHeavy() throws -> Asked {
    let account = try account()
    try use(account.id, dollars: "9")
    return try ask(token: account.token)
  }

  func row(_ id: Int) throws -> RequestRow? {
    let text = try database.value(
      """
      SELECT to_jsonb(r) || jsonb_build_object('tries', (
          SELECT coalesce(jsonb_agg(to_jsonb(a) ORDER BY a.number), '[]')
          FROM consumptiond.attempt a WHERE a.request_id = r.id))
      FROM consumptiond.request r WHERE r.id = $1
      """, .int(id))
    return text.flatMap { JSONValue(text: $0)?.object }.map { RequestRow(fields: $0) }
  }

  /// Waits until the request is in that state, and reads it.
  @discardableResult
  func wait(
    _ asked: Asked, for state: String, within limit: Duration = .seconds(30)
  ) async throws -> RequestRow {
    var last: RequestRow?
    do {
      try await until("\(asked.id) is \(state)", within: limit) {
        let found = try self.row(asked.id)
        last = found
        return found?.state == state
      }
    } catch {
      throw TestSupportError(
        "request \(asked.id) did not become \(state): \(last?.fields.text.prefix(1500) ?? "none")")
    }
    return try last.orThrow("the request")
  }

  /// The bodies that arrived for a transaction, accepted or not.
  func bodies(_ asked: Asked) -> [String] { store.requests(for: asked.transaction).map(\.body) }
}
