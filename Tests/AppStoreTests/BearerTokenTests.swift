import Crypto
import FoundationEssentials
import Testing

@testable import AppStore

@Suite struct BearerTokenTests {
  private let key = APIKey(
    keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a", key: SigningKey())
  private let now = Instant(microseconds: 1_790_000_000_999_999)

  private func parts(_ token: BearerToken) throws -> [Substring] {
    #expect(token.authorization.hasPrefix("Bearer "))
    return token.authorization.dropFirst(7).split(separator: ".")
  }

  private func json(_ part: Substring) throws -> JSONObject {
    let bytes = try #require(Base64URL.decode(part))
    return try #require(JSONObject(String(decoding: bytes, as: UTF8.self)))
  }

  @Test func `A-41, A-12: Exactly these claims, integers, a minute back and 15 minutes long`()
    throws
  {
    let token = try BearerToken.make(key: key, bundleId: "com.example", now: now)
    let parts = try parts(token)
    #expect(parts.count == 3)
    let header = String(decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
    let claims = String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
    #expect(header == "{\"alg\":\"ES256\",\"kid\":\"2X9R4HXF34\",\"typ\":\"JWT\"}")
    #expect(
      claims
        == "{\"aud\":\"appstoreconnect-v1\",\"bid\":\"com.example\",\"exp\":1790000840,\"iat\":1789999940,\"iss\":\"57246542-96fe-1a63-e053-0824d011072a\"}"
    )
    #expect(token.expiresAt == Instant(milliseconds: 1_790_000_840_000))
    let signature = try #require(Base64URL.decode(parts[2]))
    let signed = Array((parts[0] + "." + parts[1]).utf8)
    #expect(key.key.publicKey.isValid(signature, over: signed))
  }

  @Test func `Odd ids stay inside their strings`() throws {
    let odd = APIKey(keyId: "a\"b\\", issuerId: "\n", key: SigningKey())
    let parts = try parts(BearerToken.make(key: odd, bundleId: "é\"", now: now))
    let header = try json(parts[0])
    let claims = try json(parts[1])
    #expect(header.string("kid") == "a\"b\\")
    #expect(claims.string("iss") == "\n" && claims.string("bid") == "é\"")
  }

  @Test func `C-13: A token shows itself to nobody but the header`() throws {
    let token = try BearerToken.make(key: key, bundleId: "com.example", now: now)
    var dumped = ""
    dump([token], to: &dumped)
    dump(key, to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(!text.contains("eyJ") && !text.contains("Bearer"), "\(text)")
    }
  }
}
