import AppStore
import Crypto
import Simulation
import Testing

@Suite("A-12, A-41: bearer tokens")
struct TokenTests {
  let credentials = Credentials()
  let now = Instant(milliseconds: 1_796_068_800_000)

  func status(_ authorization: String?, extra: [(name: String, value: String)] = []) -> Int {
    let request = ServerRequest.put(
      "/inApps/v2/transactions/consumption/1",
      #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":true}"#,
      authorization: authorization)
    let all = ServerRequest(
      method: request.method, target: request.target, headers: request.headers + extra,
      body: request.body)
    return AppStoreJudge(credentials.settings).judge(all, transactions: [:], now: now).status
  }

  func status(
    header: [String: JSONValue?] = [:], claims: [String: JSONValue?] = [:], key: SigningKey? = nil
  ) throws -> Int {
    var head: JSONObject = ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"]
    for (name, value) in header { head[name] = value }
    var body: JSONObject = [
      "iss": "57246542-96fe-1a63-e053-0824d011072a", "iat": JSONValue(now.seconds - 60),
      "exp": JSONValue(now.seconds + 840), "aud": "appstoreconnect-v1", "bid": "com.example.app",
    ]
    for (name, value) in claims { body[name] = value }
    return status(try credentials.token(head, body, key: key))
  }

  @Test("the daemon's own token holds")
  func own() throws {
    #expect(status(try credentials.authorization(now: now)) == 202)
    #expect(try status() == 202)
  }

  @Test("whatever is not a token of this key is a 401")
  func refused() throws {
    #expect(status(nil) == 401)
    #expect(status("Bearer x") == 401)
    let good = try credentials.authorization(now: now)
    #expect(status(good, extra: [("authorization", good)]) == 401)
    #expect(status(good.replacing("Bearer ", with: "bearer ")) == 401)
    #expect(status(String(good.dropLast(2))) == 401)
    #expect(try status(key: SigningKey()) == 401)
    for (name, value) in [
      ("alg", "none"), ("alg", "ES384"), ("alg", nil), ("typ", nil), ("kid", "OTHER"), ("kid", nil),
    ] as [(String, JSONValue?)] {
      #expect(try status(header: [name: value]) == 401, "\(name)")
    }
  }

  @Test(
    "claims",
    arguments: [
      ("iss", "someone", 401), ("iss", nil, 401),
      ("aud", "appstoreconnect-v2", 401), ("aud", ["appstoreconnect-v1"], 401),
      ("bid", "com.example.other", 401), ("bid", nil, 401),
      ("iat", nil, 401), ("iat", 1_796_068_805, 202), ("iat", 1_796_068_806, 401),
      ("iat", .number("1796068740.5"), 401), ("iat", "1796068740", 401),
      ("exp", nil, 401), ("exp", 1_796_068_800, 401), ("exp", 1_796_068_801, 202),
      ("exp", 1_796_069_940, 202), ("exp", 1_796_069_941, 401),
      ("exp", .number("1796069000.0"), 401), ("nonce", "x", 202),
    ] as [(String, JSONValue?, Int)])
  func claims(name: String, value: JSONValue?, expected: Int) throws {
    #expect(try status(claims: [name: value]) == expected)
  }
}
