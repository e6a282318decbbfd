public import AppStore
public import Decision

/// A request that a worker holds under a lease, with what it needs to work on it.
public struct Work: Sendable {
  /// A person's word.
  public struct Override: Sendable, Equatable {
    public let choice: Choice
    public let person: String
  }

  public let id: Int64
  /// The lease's token: what a write must still find to be accepted.
  public let token: String
  public let bundleId: String
  public let environment: Environment
  public let transactionId: String
  public let originalTransactionId: String
  public let reason: String?
  public let signedAt: Instant
  public let deadline: Instant
  /// True when the deadline has passed: one attempt, and whatever comes of it is the end.
  public let late: Bool
  public let attempts: Int
  public let looks: Int
  /// True when Apple refused the optional fields: the answer carries the required ones alone.
  public let degraded: Bool
  /// True when it used up the time of a batch before: it takes its turn alone.
  public let alone: Bool
  public let transaction: Transaction
  public let renewal: RenewalInfo?
  /// The purchase of the next known transaction of the same subscription.
  public let laterPurchase: Instant?
  /// What the newest notification about this transaction says of its revocation.
  public let revocationDate: Instant?
  /// True when Apple has decided meanwhile: nobody waits for the answer any more.
  public let settled: Bool
  /// What a person said about the transaction, in place of the rules.
  public let override: Override?
  /// True when a rule left it to a person, and nobody has said anything yet.
  public let underReview: Bool
  /// The answer that was decided at an earlier attempt; a retry sends the same bytes.
  public let body: String?
  public let decided: Bool
  /// Whose usage and whose consent it was decided by.
  public let decidedFor: String?
  /// The database's clock when the request was loaded.
  public let now: Instant
}
