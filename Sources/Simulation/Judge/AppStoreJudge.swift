public import AppStore

/// Judges one request to the App Store Server API. Pure: what Apple would refuse is refused, by
/// Apple's code; where Apple's documents leave it open, the strict reading holds.
public struct AppStoreJudge: Sendable {
  public var settings: AppStoreSettings

  public init(_ settings: AppStoreSettings) { self.settings = settings }

  /// - Parameter transactions: all that were issued, by id. Empty: every id is taken for one.
  public func judge(
    _ request: ServerRequest, transactions: [String: IssuedTransaction], now: Instant
  ) -> Verdict {
    do throws(Refusal) {
      try TokenCheck(settings: settings).check(request, now: now)
      guard let path = ConsumptionPath(request.target) else {
        throw Refusal(404, "no such endpoint: \(request.target)")
      }
      guard request.method == "PUT" else { throw Refusal(405, "\(request.method) is not PUT") }
      let transaction = try find(path.transactionId, in: transactions)
      try checkContentType(request)
      let body = try read(request.body)
      switch path.version {
      case .v2: try ConsumptionV2Check(body: body, transaction: transaction).check()
      case .v1: try ConsumptionV1Check(body: body, transaction: transaction).check()
      }
      return Verdict(202, "accepted")
    } catch {
      return error.verdict
    }
  }

  private func find(_ id: String, in transactions: [String: IssuedTransaction])
    throws(Refusal) -> IssuedTransaction?
  {
    guard !id.isEmpty, id.utf8.count <= 20, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw Refusal(.invalidTransactionId, "not a transaction id: \(id)")
    }
    if transactions.isEmpty { return nil }
    if let transaction = transactions[id] {
      guard transaction.bundleId == settings.bundleId else {
        throw Refusal(.transactionIdNotFound, "a transaction of \(transaction.bundleId)")
      }
      if let environment = settings.environment, transaction.environment != environment.rawValue {
        throw Refusal(.transactionIdNotFound, "a transaction of \(transaction.environment)")
      }
      return transaction
    }
    if transactions.values.contains(where: { $0.appTransactionId == id }) {
      throw Refusal(.appTransactionIdNotSupported, "an appTransactionId")
    }
    throw Refusal(.transactionIdNotFound, "this transaction was never signed here")
  }

  private func checkContentType(_ request: ServerRequest) throws(Refusal) {
    let values = request.values(of: "Content-Type")
    let type = values.first?.prefix { $0 != ";" }.lowercased()
    guard values.count == 1, type == "application/json" else {
      throw Refusal(415, "Content-Type is \(values.first ?? "missing"), not application/json")
    }
  }

  private func read(_ body: [UInt8]) throws(Refusal) -> JSONObject {
    do throws(JSONProblem) {
      guard let object = try JSONReader.read(body).object else {
        throw JSONProblem(message: "not an object")
      }
      return object
    } catch {
      throw Refusal(.generalBadRequest, "the body is not JSON: \(error.message)")
    }
  }
}

/// `/inApps/v2/transactions/consumption/{transactionId}`; its case matters.
struct ConsumptionPath {
  enum Version: String { case v1, v2 }

  let version: Version
  let transactionId: String

  init?(_ target: String) {
    let path = target.prefix { $0 != "?" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, parts[0].isEmpty, parts[1] == "inApps",
      let version = Version(rawValue: parts[2]), parts[3] == "transactions",
      parts[4] == "consumption"
    else { return nil }
    self.version = version
    transactionId = parts[5]
  }
}
