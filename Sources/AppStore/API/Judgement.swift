/// What an answer means for the request: the one place that knows.
public struct Judgement: Sendable, Equatable {
  public enum Result: String, Sendable, CaseIterable {
    /// 202.
    case accepted
    /// For good; another try gets the same answer.
    case refused
    /// Worth another try later.
    case retry
    /// 401: the daemon's key, clock or configuration, never this request.
    case unauthorized
    /// 429.
    case limited
    /// A success that is none of Apple's, or no status at all: it may have arrived or not.
    case unknown
  }

  public let result: Result
  public let appleCode: Int64?
  /// At most 300 characters, control characters escaped.
  public let appleMessage: String?
  public let retryAt: RetryAfter?
  /// The answer is about an optional key: one more try with the required keys alone may pass.
  public let mayRetryWithoutOptionals: Bool

  public init(
    result: Result, appleCode: Int64? = nil, appleMessage: String? = nil,
    retryAt: RetryAfter? = nil, mayRetryWithoutOptionals: Bool = false
  ) {
    self.result = result
    self.appleCode = appleCode
    self.appleMessage = appleMessage
    self.retryAt = retryAt
    self.mayRetryWithoutOptionals = mayRetryWithoutOptionals
  }

  /// Judges an answer to Send Consumption Information: by its status first, because a 401 has no
  /// JSON, a 5xx often no body, and a proxy sends pages.
  public static func sendConsumption(_ answer: Answer, now: Instant) -> Judgement {
    if answer.status == 202 { return Judgement(result: .accepted) }
    let json = String(validating: answer.body, as: UTF8.self).flatMap(JSONObject.init)
    let code = json?.int64("errorCode")
    let message = json?.string("errorMessage")
    let aboutOptionals =
      code.map(AppleCode.aboutOptionalKeys.contains) == true || namesOptionalKey(message)
    return Judgement(
      result: result(status: answer.status, code: code), appleCode: code,
      appleMessage: (message ?? text(of: answer.body, json)).map {
        PlainText.excerpt($0, limit: 300)
      },
      retryAt: answer.retryAfter.flatMap { RetryAfter(header: $0, now: now) },
      mayRetryWithoutOptionals: answer.status == 400 && aboutOptionals)
  }

  private static func result(status: Int, code: Int64?) -> Result {
    switch status {
    case 401: return .unauthorized
    case 429: return .limited
    // Nothing was done with the request: 408 Request Timeout, 425 Too Early.
    case 408, 425: return .retry
    case 400..<500:
      if code == AppleCode.rateLimitExceeded { return .limited }
      return code.map(AppleCode.retryable.contains) ?? false ? .retry : .refused
    // A redirect is not followed: something between here and Apple is set up wrong for now.
    case 300..<400, 500..<600: return .retry
    default: return .unknown
    }
  }

  /// The beginning of a body that is not JSON: a 401 says "Unauthenticated" and a request id.
  private static func text(of body: [UInt8], _ json: JSONObject?) -> String? {
    guard json == nil, !body.isEmpty else { return nil }
    return String(decoding: body.prefix(2048), as: UTF8.self)
  }

  private static func namesOptionalKey(_ message: String?) -> Bool {
    guard let message = message?.lowercased() else { return false }
    return message.contains("percentage") || message.contains("preference")
  }
}
