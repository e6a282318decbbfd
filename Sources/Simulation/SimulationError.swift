/// What keeps the stand-in from starting: a port in use, a folder that is not ours, a bad key.
public struct SimulationError: Error, Sendable, CustomStringConvertible {
  public let message: String

  public init(_ message: String) { self.message = message }

  public var description: String { message }
}
