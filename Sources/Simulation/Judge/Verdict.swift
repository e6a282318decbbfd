import AppStore

/// What the App Store says to a request, and why.
public struct Verdict: Sendable, Equatable {
  public let status: Int
  /// Apple's `errorCode`, where the answer has one.
  public let code: Int64?
  /// For the person who reads the log; more than Apple would tell.
  public let why: String

  public init(_ status: Int, code: Int64? = nil, _ why: String) {
    self.status = status
    self.code = code
    self.why = why
  }

  public var isAccepted: Bool { status == 202 }

  func answer(now: Instant, requestId: String) -> ServerAnswer {
    var headers = [("Date", httpDate(now))]
    switch (status, code) {
    case (202, _):
      return ServerAnswer(202, headers: headers)
    case (401, _):
      headers.append(("Content-Type", "text/plain"))
      return ServerAnswer(
        401, headers: headers, body: "Unauthenticated\n\nRequest ID: \(requestId)\n")
    case (_, let code?):
      headers.append(("Content-Type", "application/json"))
      let message = AppleError(rawValue: code)?.message ?? why
      let body: JSONObject = ["errorCode": JSONValue(code), "errorMessage": .string(message)]
      return ServerAnswer(status, headers: headers, body: body.text)
    default:
      return ServerAnswer(status, headers: headers)
    }
  }
}

/// A refusal, on its way out of the check that found it.
struct Refusal: Error {
  let verdict: Verdict

  init(_ error: AppleError, _ why: String) {
    verdict = Verdict(error.status, code: error.rawValue, why)
  }

  init(_ status: Int, _ why: String) { verdict = Verdict(status, why) }
}

/// Apple's codes of Send Consumption Information.
enum AppleError: Int64, CaseIterable {
  case generalBadRequest = 4_000_000
  case invalidTransactionId = 4_000_006
  case invalidAccountTenure = 4_000_032
  case invalidAppAccountToken = 4_000_033
  case invalidConsumptionStatus = 4_000_034
  case invalidCustomerConsented = 4_000_035
  case invalidDeliveryStatus = 4_000_036
  case invalidLifetimeDollarsPurchased = 4_000_037
  case invalidLifetimeDollarsRefunded = 4_000_038
  case invalidPlatform = 4_000_039
  case invalidPlayTime = 4_000_040
  case invalidSampleContentProvided = 4_000_041
  case invalidUserStatus = 4_000_042
  case invalidRefundPreference = 4_000_044
  case transactionTypeNotSupported = 4_000_047
  case appTransactionIdNotSupported = 4_000_048
  case familyTransaction = 4_000_185
  // Apple has published the names of the next three and not their numbers: these are made up.
  case advancedCommerceTransaction = 4_000_206
  case consumptionPercentageOutOfRange = 4_000_207
  case undeliveredConsumptionPercentageNonZero = 4_000_208
  case consumptionPercentageAutoRenewable = 4_000_209
  case assignedTransaction = 4_000_227
  case transactionIdNotFound = 4_040_010
  case rateLimitExceeded = 4_290_000
  case generalInternal = 5_000_000

  /// The first three digits, as in every pair that Apple documents.
  var status: Int { Int(rawValue / 10_000) }

  var message: String {
    switch self {
    case .generalBadRequest: "Bad request."
    case .invalidTransactionId: "Invalid transaction id."
    case .invalidAccountTenure: "Invalid account tenure field."
    case .invalidAppAccountToken: "Invalid app account token field. Must be a UUID or empty."
    case .invalidConsumptionStatus: "Invalid consumption status field."
    case .invalidCustomerConsented: "Invalid customer consented field. Must be true."
    case .invalidDeliveryStatus: "Invalid delivery status field."
    case .invalidLifetimeDollarsPurchased: "Invalid lifetime dollars purchased field."
    case .invalidLifetimeDollarsRefunded: "Invalid lifetime dollars refunded field."
    case .invalidPlatform: "Invalid platform field."
    case .invalidPlayTime: "Invalid play time field."
    case .invalidSampleContentProvided: "Invalid sample content provided field."
    case .invalidUserStatus: "Invalid user status field."
    case .invalidRefundPreference: "Invalid refund preference field."
    case .transactionTypeNotSupported: "Transaction type isn't supported by this endpoint."
    case .appTransactionIdNotSupported: "App transaction ids aren't supported by this endpoint."
    case .familyTransaction:
      "Invalid request. Family Sharing transactions aren't supported by this endpoint."
    case .advancedCommerceTransaction:
      "Invalid request. Advanced Commerce transactions aren't supported by this endpoint."
    case .consumptionPercentageOutOfRange: "The consumption percentage is out of range."
    case .undeliveredConsumptionPercentageNonZero:
      "The consumption percentage must be 0 for what wasn't delivered."
    case .consumptionPercentageAutoRenewable:
      "Invalid request. The consumption percentage isn't allowed for an auto-renewable "
        + "subscription."
    case .assignedTransaction: "Invalid request. Assigned transactions aren't supported."
    case .transactionIdNotFound: "Transaction id not found."
    case .rateLimitExceeded: "Rate limit exceeded."
    case .generalInternal: "An unknown error occurred."
    }
  }
}

/// RFC 9110's date, "Mon, 30 Nov 2026 20:04:41 GMT".
private func httpDate(_ instant: Instant) -> String {
  let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  // "2026-11-30T20:04:41…"
  let text = Array(instant.iso8601)
  let month = Int(String(text[5..<7])) ?? 1
  let day = days[Int(instant.seconds / 86_400 % 7)]
  return "\(day), \(String(text[8..<10])) \(months[month - 1]) \(String(text[..<4])) "
    + "\(String(text[11..<19])) GMT"
}
