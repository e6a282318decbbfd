import AppStore
import Crypto
import HTTP
import Simulation

/// A key as App Store Connect would give out, and what it knows of it.
struct Credentials {
  let key = SigningKey()

  var apiKey: APIKey {
    APIKey(
      keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a", key: key)
  }

  var settings: AppStoreSettings { AppStoreSettings(publicKey: key.publicKey) }

  func authorization(now: Instant = .now()) throws -> String {
    try BearerToken.make(key: apiKey, bundleId: "com.example.app", now: now).authorization
  }

  /// A token with whatever header and claims.
  func token(_ header: JSONObject, _ claims: JSONObject, key: SigningKey? = nil) throws -> String {
    let input =
      Base64URL.encode(Array(header.text.utf8)) + "." + Base64URL.encode(Array(claims.text.utf8))
    let signature = try (key ?? self.key).signature(over: Array(input.utf8))
    return "Bearer \(input).\(Base64URL.encode(signature))"
  }
}

extension ServerRequest {
  static func put(
    _ target: String, _ body: String, authorization: String?,
    contentType: String? = "application/json", method: String = "PUT"
  ) -> ServerRequest {
    var headers: [(name: String, value: String)] = []
    if let authorization { headers.append(("Authorization", authorization)) }
    if let contentType { headers.append(("Content-Type", contentType)) }
    return ServerRequest(method: method, target: target, headers: headers, body: Array(body.utf8))
  }
}

extension Instant {
  /// 2026-11-01.
  static let firstOfNovember = Instant(milliseconds: 1_793_491_200_000)
}

extension TransactionDraft {
  static func month(_ id: String, token: String? = nil) -> TransactionDraft {
    .subscription(
      id: id, originalId: "1000", token: token, purchased: .firstOfNovember,
      expires: .firstOfNovember + .seconds(86_400 * 30))
  }
}

extension HTTPClient {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: $0) }
    }.get()
  }

  /// One Send Consumption Information.
  func put(
    to url: String, id: String = "1", body: String = acceptableBody, authorization: String?,
    timeout: Duration = .seconds(10)
  ) async throws -> HTTPResponse {
    var headers = [(name: "Content-Type", value: "application/json")]
    if let authorization { headers.append(("Authorization", authorization)) }
    return try await send(
      HTTPRequest(
        method: "PUT", url: url + "/inApps/v2/transactions/consumption/\(id)", headers: headers,
        body: Array(body.utf8), timeout: timeout))
  }

  func put(
    to store: SimulatedAppStore, id: String = "1", body: String = acceptableBody,
    authorization: String?, timeout: Duration = .seconds(10)
  ) async throws -> HTTPResponse {
    try await put(
      to: store.url, id: id, body: body, authorization: authorization, timeout: timeout)
  }
}

let acceptableBody =
  #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":true}"#
