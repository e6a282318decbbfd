/// A query or rule of the configuration that cannot be used: the key's path, and what is wrong.
public struct QueryFault: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  public let message: String

  public var description: String { "\(path): \(message)" }
}
