/// An answer, whatever its status.
public struct HTTPResponse: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  /// At most `bodyLimit` bytes; a proxy's error page needs no more.
  public let body: [UInt8]
  /// Whether the answer was longer than `body`.
  public let isTruncated: Bool

  /// Bytes of an answer that are kept. The rest is not read: the connection is closed instead.
  public static let bodyLimit = 64 * 1024

  public init(status: Int, headers: HTTPHeaders, body: [UInt8], isTruncated: Bool = false) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isTruncated = isTruncated
  }
}

/// Header fields by name, in any case: proxies and HTTP/2 gateways change it.
public struct HTTPHeaders: Sendable {
  private var values: [String: String] = [:]

  public init(_ fields: [(name: String, value: String)] = []) {
    for field in fields { add(field.name, field.value) }
  }

  /// The value of the field; those of a repeated field are joined by commas (RFC 9110, 5.3).
  public subscript(name: String) -> String? { values[name.lowercased()] }

  mutating func add(_ name: String, _ value: String) {
    let key = name.lowercased()
    if let before = values[key] {
      values[key] = before + ", " + value
    } else {
      values[key] = value
    }
  }
}
