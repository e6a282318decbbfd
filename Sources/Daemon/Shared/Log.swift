public import AppStore

/// One line an event: ids, states and reasons, nothing about people, no secret.
public struct Log: Sendable {
  public enum Level: String, Sendable {
    case info
    case warning
    /// Somebody should look at it.
    case error
  }

  public struct Event: Sendable {
    public let at: Instant
    public let level: Level
    /// A stable word for machines: `answered`, `database_unreachable`.
    public let name: String
    public let request: Int64?
    public let transaction: String?
    /// For people.
    public let message: String
  }

  private let sink: @Sendable (Event) -> Void

  public init(_ sink: @escaping @Sendable (Event) -> Void) { self.sink = sink }

  public func callAsFunction(
    _ level: Level, _ name: String, _ message: String, request: Int64? = nil,
    transaction: String? = nil
  ) {
    sink(
      Event(
        at: .now(), level: level, name: name, request: request, transaction: transaction,
        message: message))
  }
}
