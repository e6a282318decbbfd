public import Crypto
internal import FoundationEssentials

/// An In-App Purchase key of App Store Connect. An App Store Connect API key does not work.
public struct APIKey: Sendable {
  /// The `kid`, ten characters in Apple's examples.
  public let keyId: String
  /// The `iss`, a UUID.
  public let issuerId: String
  public let key: SigningKey

  public init(keyId: String, issuerId: String, key: SigningKey) {
    self.keyId = keyId
    self.issuerId = issuerId
    self.key = key
  }
}

/// A token for the App Store Server API (a JWT, ES256).
///
/// Only ``authorization`` shows it; printed, interpolated or mirrored it is "[token]", so that it
/// does not get into a log by way of a value that holds it.
public struct BearerToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The value of the `Authorization` header.
  public let authorization: String
  public let expiresAt: Instant

  /// A host's clock a few seconds fast makes an `iat` in Apple's future, which is a 401 on some
  /// calls and not on others.
  private static let backdating: Int64 = 60
  /// From `iat`, in seconds. Apple's ceiling is an hour, and 20 minutes elsewhere.
  private static let lifetime: Int64 = 900

  /// - Parameter now: the host's clock.
  public static func make(
    key: APIKey, bundleId: String, now: Instant
  ) throws(CryptoError) -> BearerToken {
    let issued = now.seconds - backdating
    let expires = issued + lifetime
    let header = try encode(Header(kid: key.keyId))
    let claims = try encode(
      Claims(iss: key.issuerId, iat: issued, exp: expires, bid: bundleId))
    let signed = header + "." + claims
    let signature = try key.key.signature(over: Array(signed.utf8))
    return BearerToken(
      authorization: "Bearer \(signed).\(Base64URL.encode(signature))",
      expiresAt: Instant(milliseconds: expires * 1000))
  }

  private struct Header: Encodable {
    var alg = "ES256"
    let kid: String
    var typ = "JWT"
  }

  private struct Claims: Encodable {
    let iss: String
    let iat: Int64
    let exp: Int64
    var aud = "appstoreconnect-v1"
    let bid: String
  }

  private static func encode(_ part: some Encodable) throws(CryptoError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return Base64URL.encode(Array(try encoder.encode(part)))
    } catch {
      throw CryptoError(message: "the token cannot be written as JSON")
    }
  }

  public var description: String { "[token]" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
