/// One request as it goes out: nothing is added but what HTTP/1.1 itself needs.
public struct HTTPRequest: Sendable {
  public var method: String
  /// Absolute, `http` or `https`.
  public var url: String
  /// In the order in which they are sent. A control character in one fails the send.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// From `send` to the last byte of the answer, the wait for a free connection included.
  public var timeout: Duration
  /// For the name, the connection and TLS together.
  public var connectTimeout: Duration
  /// Uses no idle connection. For the attempt after a lost one: what killed it (a middlebox that
  /// dropped the flow) has often killed its neighbours too.
  public var freshConnection: Bool

  public init(
    method: String, url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], timeout: Duration = .seconds(15), connectTimeout: Duration = .seconds(5),
    freshConnection: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.freshConnection = freshConnection
  }
}

/// Method and address alone: the headers carry the bearer token, the body is about a person.
extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(method) \(url)" }
  public var debugDescription: String { description }
}

extension HTTPRequest: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
