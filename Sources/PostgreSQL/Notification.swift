/// What a NOTIFY brought.
public struct Notification: Sendable, Equatable {
  public let channel: String
  public let payload: String
  /// The server process that sent it.
  public let processID: Int32
}
