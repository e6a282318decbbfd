public import AppStore

/// One request as the simulated App Store saw it.
public struct SeenRequest: Sendable {
  /// Counts from 1, in the order of arrival.
  public let number: Int
  public let method: String
  public let path: String
  public let headers: [(name: String, value: String)]
  public let body: String
  /// "v1" or "v2"; nil for another endpoint.
  public let version: String?
  public let transactionId: String?
  /// Which of the listener's connections it came by.
  public let connection: Int
  public let arrivedAt: Instant
  /// When the answer was about to be written, or the connection ended; nil while in flight.
  public internal(set) var endedAt: Instant?
  /// Whether another request for the same transaction was in flight when this one came.
  public let overlapped: Bool
  /// What the judge said; nil while in flight, and for a fault that judges nothing.
  public internal(set) var verdict: Verdict?
  /// What was answered; nil when nothing was.
  public internal(set) var status: Int?

  public var isInFlight: Bool { endedAt == nil }

  /// Whether the App Store took the answer in, even if its 202 was lost.
  public var isAccepted: Bool { verdict?.isAccepted ?? false }
}
