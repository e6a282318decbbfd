internal import AppStore
internal import Store

/// Requests that end before anybody is looked for: nobody may or can answer them.
enum Routing {
  /// Nil when the request goes on.
  static func ending(_ work: Work, lateLimit: Duration) -> Ending? {
    if work.settled { return .settled }
    if work.signedAt + lateLimit <= work.now { return .missed(reason: "no_worker") }
    // Apple answers 4000185 and 4000227 for these.
    if work.transaction.isFamilyShared { return .withheld(reason: "family_shared") }
    if work.transaction.isAssigned { return .withheld(reason: "assigned") }
    // The second version of the endpoint refuses them, and the first is not spoken.
    if work.transaction.isAdvancedCommerce {
      return .failed(reason: "advanced_commerce_unsupported")
    }
    return nil
  }
}
