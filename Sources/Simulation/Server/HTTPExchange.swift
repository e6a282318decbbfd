/// A request as the server read it.
public struct ServerRequest: Sendable {
  public let method: String
  /// Path and query, as sent: Apple tells `/inApps` from `/inapps`.
  public let target: String
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  public init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The values of all fields of that name, in any case.
  public func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// An answer that the server gives.
public struct ServerAnswer: Sendable {
  public var status: Int
  /// `Content-Length` is added.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  public init(_ status: Int, headers: [(name: String, value: String)] = [], body: String = "") {
    self.status = status
    self.headers = headers
    self.body = Array(body.utf8)
  }

  var bytes: [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
  }

  private static let reasons = [
    200: "OK", 202: "Accepted", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    405: "Method Not Allowed", 411: "Length Required", 413: "Content Too Large",
    415: "Unsupported Media Type", 429: "Too Many Requests", 500: "Internal Server Error",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}

extension ServerConnection {
  private static let headLimit = 64 * 1024
  private static let bodyLimit = 1024 * 1024

  /// Waits for the next request of this connection.
  /// - Returns: nil when the client has gone, or sent what is not HTTP/1.1 with a known length;
  ///   it has been told so then, and the connection must be closed.
  public func readRequest() -> ServerRequest? {
    var bytes: [UInt8] = []
    var end = bytes.endOfHead
    while end == nil {
      guard bytes.count <= Self.headLimit else { return refuse(413) }
      guard let more = read() else { return nil }
      bytes += more
      end = bytes.endOfHead
    }
    guard let end, let head = Head(bytes[..<end]) else { return refuse(400) }
    guard let length = head.bodyLength else { return refuse(411) }
    guard length <= Self.bodyLimit else { return refuse(413) }
    bytes.removeFirst(end)
    while bytes.count < length {
      guard let more = read() else { return nil }
      bytes += more
    }
    pending = Array(bytes[length...])
    return ServerRequest(
      method: head.method, target: head.target, headers: head.headers,
      body: Array(bytes[..<length]))
  }

  /// - Returns: whether all of it went out.
  @discardableResult
  public func write(_ answer: ServerAnswer) -> Bool { write(answer.bytes) }

  private func refuse(_ status: Int) -> ServerRequest? {
    write(ServerAnswer(status, headers: [("Connection", "close")]))
    return nil
  }
}

extension [UInt8] {
  /// Just behind the empty line, when it has come.
  fileprivate var endOfHead: Int? {
    let separator: [UInt8] = [13, 10, 13, 10]
    return firstRange(of: separator)?.upperBound
  }
}

/// The request line and the fields.
private struct Head {
  var method = ""
  var target = ""
  var headers: [(name: String, value: String)] = []

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    // Not `split(separator: "\n")`: "\r\n" is one character.
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
    let parts = lines.popFirst()?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, parts[2] == "HTTP/1.1", parts[1].hasPrefix("/") else { return nil }
    method = String(parts[0])
    target = String(parts[1])
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
      let name = line[..<colon]
      guard !name.contains(where: \.isWhitespace) else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append((String(name), String(value)))
    }
  }

  /// nil when it cannot be told: chunked, or two lengths that disagree.
  var bodyLength: Int? {
    func values(_ name: String) -> Set<String> {
      Set(headers.filter { $0.name.lowercased() == name }.map(\.value))
    }
    guard values("transfer-encoding").isEmpty else { return nil }
    let lengths = values("content-length")
    guard lengths.count <= 1 else { return nil }
    guard let length = lengths.first else { return 0 }
    guard !length.isEmpty, length.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(length)
  }
}
