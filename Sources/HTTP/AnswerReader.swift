/// Collects an answer as libcurl hands it over, within limits.
struct AnswerReader {
  private(set) var isTruncated = false
  private var headers = HTTPHeaders()
  private var headerBytes = 0
  private var body: [UInt8] = []

  private static let headerLimit = 64 * 1024

  /// One line with its line break: a status line, a field, or the empty line at the end.
  mutating func addHeaderLine(_ line: UnsafeRawBufferPointer) {
    let text = unsafe String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      // What came with a 1xx answer is not the answer's.
      headers = HTTPHeaders()
      headerBytes = 0
    }
    headerBytes += text.utf8.count
    guard headerBytes <= Self.headerLimit, let colon = text.firstIndex(of: ":") else { return }
    let name = text[..<colon]
    let value = text[text.index(after: colon)...].trimmed
    headers.add(String(name), String(value))
  }

  /// - Returns: how many bytes were taken; fewer than offered ends the transfer.
  mutating func addBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    let room = HTTPResponse.bodyLimit - body.count
    unsafe body.append(contentsOf: bytes.prefix(room))
    if bytes.count > room { isTruncated = true }
    return min(bytes.count, room)
  }

  func response(status: Int) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: body, isTruncated: isTruncated)
  }
}

extension Substring {
  /// Without white space at both ends (a line break is one character, "\r\n").
  fileprivate var trimmed: Substring {
    var rest = self
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return rest
  }
}
