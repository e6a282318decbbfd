public import AppStore
public import Decision
internal import PostgreSQL

/// What the named parameters of the user's queries stand for, for one request.
public struct PurchaseValues: Sendable {
  private var values: [QueryParameter: String] = [:]

  /// The values of the signed transaction.
  public init(_ transaction: Transaction) {
    values[.appAccountToken] = transaction.appAccountToken
    values[.originalTransactionId] = transaction.originalTransactionId
    values[.transactionId] = transaction.transactionId
    values[.appTransactionId] = transaction.appTransactionId
    values[.productId] = transaction.productId
    values[.bundleId] = transaction.bundleId
    values[.environment] = transaction.environment.rawValue
  }

  /// The same, with the customer that was found.
  public func with(customer: String) -> PurchaseValues {
    var copy = self
    copy.values[.customer] = customer
    return copy
  }

  /// The same, with the window in which usage counts.
  public func with(_ window: UsageWindow) -> PurchaseValues {
    var copy = self
    copy.values[.from] = window.start.iso8601
    copy.values[.until] = window.until.iso8601
    return copy
  }

  /// Whether each of `parameters` has a value.
  ///
  /// A query for the customer that mentions one without is not run: comparing with a null finds
  /// nobody, but a query that was written to treat null as "any" would find anybody.
  func haveAll(_ parameters: [QueryParameter]) -> Bool {
    parameters.allSatisfy { values[$0] != nil }
  }

  func bound(_ parameters: [QueryParameter]) -> [Parameter] {
    parameters.map { parameter in
      parameter.isInstant
        ? .typed(values[parameter], TypeID.timestamptz) : .inferred(values[parameter])
    }
  }
}
