import AppStore
import Crypto
import Simulation
import Store

@testable import Daemon
@testable import Store

extension Work {
  /// A request that a worker holds, due in eleven hours.
  static func sample(
    token: String = "t", environment: AppStore.Environment = .production,
    signedAgo: Duration = .seconds(3600), late: Bool = false, settled: Bool = false,
    _ changes: [String: JSONValue] = [:]
  ) throws -> Work {
    let now = Instant.now()
    var draft = TransactionDraft.subscription(
      id: "23456", originalId: "12345", purchased: now - .seconds(86_400 * 12),
      expires: now + .seconds(86_400 * 18)
    )
    .with("bundleId", "com.example.app").with("environment", .string(environment.rawValue))
    .with("signedDate", JSONValue(now.milliseconds))
    for (key, value) in changes { draft = draft.with(key, value) }
    let signedAt = now - signedAgo
    let window: Duration = environment == .production ? .seconds(12 * 3600) : .seconds(300)
    return Work(
      id: 1, token: token, bundleId: "com.example.app", environment: environment,
      transactionId: "23456", originalTransactionId: "12345", reason: nil, signedAt: signedAt,
      deadline: signedAt + window, late: late, attempts: 0, looks: 0, degraded: false,
      alone: false,
      transaction: try Transaction(json: draft.fields.text), renewal: nil, laterPurchase: nil,
      revocationDate: nil, settled: settled, override: nil, underReview: false, body: nil,
      decided: false, decidedFor: nil, now: now)
  }
}

extension Dispatch {
  static func sample(
    number: Int = 1, isLate: Bool = false, preference: RefundPreference? = .decline,
    timeLeft: Duration = .seconds(3600)
  ) throws -> Dispatch {
    Dispatch(
      work: try .sample(),
      attempt: Attempts.Begun(
        id: 7, number: number, isRepeat: false, isLate: isLate),
      body: .autoRenewable(
        deliveryStatus: .delivered, sampleContentProvided: false, refundPreference: preference),
      deadline: .now + timeLeft)
  }
}

extension Settings.App {
  static func sample(_ bundleId: String = "com.example.app") -> Settings.App {
    Settings.App(
      identity: AppIdentity(
        bundleId: bundleId, appAppleId: 1_234_567_890, environments: [.production, .sandbox]),
      keys: [
        APIKey(
          keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a", key: SigningKey())
      ],
      endpoints: [:])
  }
}
