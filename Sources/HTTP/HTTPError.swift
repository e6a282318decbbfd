/// A request that got no answer. An answer with any status is a response, not an error.
public struct HTTPError: Error, Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// The name could not be looked up. Worth another try: a failed lookup is not kept.
    case resolve
    /// Nobody accepts connections there.
    case connect
    /// No TLS: an unknown authority, another name, no common version. Never worked around.
    case tls
    case timeout
    /// The connection died on the way. Try again with `freshConnection`.
    case connectionLost
    /// The client was closed.
    case cancelled
    /// The request itself is wrong, or the machine has no memory or descriptors left.
    case other
  }

  public let kind: Kind
  /// For people; names hosts and ports, never headers or the body.
  public let message: String
  /// Whether the server may have got the request. False only when it is certain that no byte of
  /// it left this machine: the outcome of everything else is unknown.
  public let mayHaveBeenSent: Bool

  public init(kind: Kind, message: String, mayHaveBeenSent: Bool) {
    self.kind = kind
    self.message = message
    self.mayHaveBeenSent = mayHaveBeenSent
  }
}

extension HTTPError: CustomStringConvertible {
  public var description: String {
    "\(message) (\(kind.rawValue)\(mayHaveBeenSent ? ", outcome unknown" : ""))"
  }
}
