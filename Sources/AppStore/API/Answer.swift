/// What came back over HTTP, whoever sent it: Apple, or something in between.
public struct Answer: Sendable, Equatable {
  public let status: Int
  /// The `Retry-After` header as it stands.
  public let retryAfter: String?
  /// The `Date` header as it stands.
  public let date: String?
  public let body: [UInt8]

  public init(status: Int, retryAfter: String? = nil, date: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.date = date
    self.body = body
  }

  /// The server's clock, to the second: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  public var serverTime: Instant? {
    guard let words = date?.split(separator: " "), words.count == 6, words[5] == "GMT" else {
      return nil
    }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard let month = months.firstIndex(of: String(words[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Instant(iso8601: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
