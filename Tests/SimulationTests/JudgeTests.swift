import AppStore
import Crypto
import HTTP
import Simulation
import Testing

@Suite("The simulated App Store's judgement")
struct JudgeTests {
  let credentials = Credentials()
  /// One transaction of each kind.
  let transactions: [String: IssuedTransaction] = {
    func issued(_ draft: TransactionDraft) -> IssuedTransaction? {
      IssuedTransaction(
        payload: draft.with("bundleId", "com.example.app").with("environment", "Production").fields)
    }
    let start = Instant.firstOfNovember
    let all = [
      issued(.month("1")),
      issued(.oneTime(.consumable, id: "2", purchased: start)),
      issued(.oneTime(.nonConsumable, id: "3", purchased: start)),
      issued(.oneTime(.nonRenewing, id: "4", purchased: start)),
      issued(.month("5").with("inAppOwnershipType", "FAMILY_SHARED")),
      issued(.month("6").with("inAppOwnershipType", "ASSIGNED")),
      issued(.month("7").with("advancedCommerceInfo", ["taxCode": "C003"])),
      issued(.month("8").with("bundleId", "com.example.other")),
    ].compactMap { $0 }
    var byId = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    byId["8"] = IssuedTransaction(
      payload: TransactionDraft.month("8").with("bundleId", "com.example.other").fields)
    return byId
  }()

  func judge(_ request: ServerRequest, now: Instant = .now()) -> Verdict {
    AppStoreJudge(credentials.settings).judge(request, transactions: transactions, now: now)
  }

  func code(_ body: String, id: String, version: String = "v2") throws -> Int64 {
    let path = "/inApps/\(version)/transactions/consumption/\(id)"
    let verdict = judge(
      .put(path, body, authorization: try credentials.authorization()))
    return verdict.code ?? Int64(verdict.status)
  }

  @Test(
    "V2 bodies",
    arguments: [
      // Transaction, what is changed in a body that holds, and the code.
      ("1", "", 202),
      ("2", "", 202),
      ("3", "", 202),
      ("4", "", 202),
      ("1", #""refundPreference":"DECLINE""#, 202),
      ("1", #""refundPreference":"GRANT_PRORATED""#, 202),
      ("1", #""refundPreference":"GRANT_FULL","deliveryStatus":"UNDELIVERED_OTHER""#, 202),
      ("1", #""customerConsented":false"#, 4_000_035),
      ("1", #""customerConsented":"true""#, 4_000_035),
      ("1", #""customerConsented":1"#, 4_000_035),
      ("1", #""customerConsented":null"#, 4_000_035),
      ("1", #""deliveryStatus":"delivered""#, 4_000_036),
      ("1", #""deliveryStatus":0"#, 4_000_036),
      ("1", #""sampleContentProvided":"false""#, 4_000_041),
      ("1", #""sampleContentProvided":0"#, 4_000_041),
      ("1", #""refundPreference":"NONE""#, 4_000_044),
      ("1", #""refundPreference":null"#, 4_000_044),
      ("1", #""refundPreference":1"#, 4_000_044),
      ("1", #""consumptionPercentage":50000"#, 4_000_209),
      ("1", #""consumptionPercentage":0"#, 4_000_209),
      ("2", #""consumptionPercentage":0"#, 202),
      ("2", #""consumptionPercentage":100000"#, 202),
      ("2", #""consumptionPercentage":-1"#, 4_000_207),
      ("2", #""consumptionPercentage":100001"#, 4_000_207),
      ("2", #""consumptionPercentage":37.5"#, 4_000_207),
      ("2", #""consumptionPercentage":1e3"#, 4_000_207),
      ("2", #""consumptionPercentage":"50000""#, 4_000_207),
      ("2", #""consumptionPercentage":null"#, 4_000_207),
      (
        "2", #""consumptionPercentage":20000,"deliveryStatus":"UNDELIVERED_SERVER_OUTAGE""#,
        4_000_208
      ),
      ("2", #""consumptionPercentage":0,"deliveryStatus":"UNDELIVERED_SERVER_OUTAGE""#, 202),
      ("2", #""refundPreference":"GRANT_PRORATED""#, 4_000_044),
      ("3", #""refundPreference":"GRANT_PRORATED","consumptionPercentage":0"#, 4_000_044),
      ("4", #""refundPreference":"GRANT_PRORATED","consumptionPercentage":100000"#, 4_000_044),
      ("2", #""refundPreference":"GRANT_PRORATED","consumptionPercentage":1"#, 202),
      ("1", #""appAccountToken":"""#, 4_000_000),
      ("1", #""accountTenure":1"#, 4_000_000),
      ("5", "", 4_000_185),
      ("6", "", 4_000_227),
      ("7", "", 4_000_206),
      ("8", "", 4_040_010),
      ("99", "", 4_040_010),
      ("1000", "", 4_040_010),  // the original transaction's id, which was not signed here
      ("7041", "", 4_000_048),  // an appTransactionId
      ("abc", "", 4_000_006),
      ("", "", 4_000_006),
      ("123456789012345678901", "", 4_000_006),
    ] as [(String, String, Int64)])
  func v2(id: String, change: String, expected: Int64) throws {
    #expect(try code(body(v2Fields, change), id: id) == expected)
  }

  @Test(
    "V2: each required key must be there",
    arguments: [
      ("customerConsented", 4_000_035), ("deliveryStatus", 4_000_036),
      ("sampleContentProvided", 4_000_041),
    ] as [(String, Int64)])
  func requiredV2(key: String, expected: Int64) throws {
    var fields = v2Fields
    fields[key] = nil
    #expect(try code(fields.text, id: "1") == expected)
  }

  @Test(
    "V1 bodies",
    arguments: [
      ("7", "", 202),
      ("2", "", 202),
      ("3", "", 4_000_047),
      ("4", "", 4_000_047),
      ("6", "", 4_000_227),
      ("7", #""accountTenure":8"#, 4_000_032),
      ("7", #""appAccountToken":null"#, 4_000_033),
      ("7", #""appAccountToken":"x""#, 4_000_033),
      ("7", #""appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138""#, 202),
      ("7", #""consumptionStatus":4"#, 4_000_034),
      ("7", #""customerConsented":false"#, 4_000_035),
      ("7", #""deliveryStatus":"DELIVERED""#, 4_000_036),
      ("7", #""deliveryStatus":6"#, 4_000_036),
      ("7", #""lifetimeDollarsPurchased":8"#, 4_000_037),
      ("7", #""lifetimeDollarsRefunded":-1"#, 4_000_038),
      ("7", #""platform":3"#, 4_000_039),
      ("7", #""playTime":8"#, 4_000_040),
      ("7", #""sampleContentProvided":1"#, 4_000_041),
      ("7", #""userStatus":5"#, 4_000_042),
      ("7", #""refundPreference":4"#, 4_000_044),
      ("7", #""refundPreference":"DECLINE""#, 4_000_044),
      ("7", #""refundPreference":3"#, 202),
      ("7", #""consumptionPercentage":0"#, 4_000_000),
    ] as [(String, String, Int64)])
  func v1(id: String, change: String, expected: Int64) throws {
    #expect(try code(body(v1Fields, change), id: id, version: "v1") == expected)
  }

  @Test("V1: every key but the preference must be there")
  func requiredV1() throws {
    for key in v1Fields.keys {
      var fields = v1Fields
      fields[key] = nil
      #expect(try code(fields.text, id: "7", version: "v1") > 4_000_000, "without \(key)")
    }
  }

  @Test(
    "what is no JSON object is refused",
    arguments: [
      "", "null", "[]", "{", "{} {}", "{\"customerConsented\":true,}", "{'customerConsented':true}",
      #"{"customerConsented":true,"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":true}"#,
      "\u{feff}{}", "{\"a\":01}", "{\"a\":\"\u{1}\"}",
    ])
  func noJSON(body: String) throws {
    #expect(try code(body, id: "1") == 4_000_000)
  }

  @Test("paths and methods")
  func paths() throws {
    let authorization = try credentials.authorization()
    func status(_ target: String, method: String = "PUT", type: String? = "application/json") -> Int
    {
      judge(
        .put(target, v2Fields.text, authorization: authorization, contentType: type, method: method)
      ).status
    }
    #expect(status("/inApps/v2/transactions/consumption/1") == 202)
    #expect(status("/inapps/v2/transactions/consumption/1") == 404)
    #expect(status("/inApps/v3/transactions/consumption/1") == 404)
    #expect(status("/inApps/v2/transactions/consumption/1/") == 404)
    #expect(status("//inApps/v2/transactions/consumption/1") == 404)
    #expect(status("/inApps/v2/transactions/consumption/1", method: "POST") == 405)
    #expect(status("/inApps/v2/transactions/consumption/1", type: nil) == 415)
    #expect(status("/inApps/v2/transactions/consumption/1", type: "text/plain") == 415)
    #expect(
      status("/inApps/v2/transactions/consumption/1", type: "Application/JSON; charset=utf-8")
        == 202)
  }

  @Test("A-13: one environment's host does not know the other's transactions")
  func environment() throws {
    var settings = credentials.settings
    settings.environment = .sandbox
    let verdict = AppStoreJudge(settings).judge(
      .put(
        "/inApps/v2/transactions/consumption/1", v2Fields.text,
        authorization: try credentials.authorization()),
      transactions: transactions, now: .now())
    #expect(verdict.code == 4_040_010)
  }

  @Test("A-10: a 401 is plain text, everything else is Apple's JSON; 202 is empty")
  func answers() async throws {
    let store = try SimulatedAppStore(credentials.settings)
    #expect(store.url.hasPrefix("http://127.0.0.1:"))
    let client = HTTPClient(maximumConnectionsPerHost: 1)
    let refused = try await client.put(to: store, body: v2Fields.text, authorization: nil)
    #expect(refused.status == 401)
    #expect(
      String(decoding: refused.body, as: UTF8.self).hasPrefix("Unauthenticated\n\nRequest ID: "))
    let authorization = try credentials.authorization()
    let wrong = try await client.put(to: store, body: "{}", authorization: authorization)
    #expect(wrong.status == 400)
    #expect(
      String(decoding: wrong.body, as: UTF8.self)
        == #"{"errorCode":4000035,"errorMessage":"Invalid customer consented field. Must be true."}"#
    )
    let right = try await client.put(to: store, body: v2Fields.text, authorization: authorization)
    #expect(right.status == 202)
    #expect(right.body == [])
    #expect(Answer(status: 202, date: right.headers["date"]).serverTime != nil)
    #expect(store.requests.map(\.status) == [401, 400, 202])
    #expect(store.connections == 1)
  }

  private let v2Fields: JSONObject = [
    "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": false,
  ]
  private let v1Fields: JSONObject = [
    "accountTenure": 0, "appAccountToken": "", "consumptionStatus": 3, "customerConsented": true,
    "deliveryStatus": 0, "lifetimeDollarsPurchased": 0, "lifetimeDollarsRefunded": 0,
    "platform": 1, "playTime": 0, "sampleContentProvided": true, "userStatus": 1,
  ]

  /// `fields` with the members of `change` in them.
  private func body(_ fields: JSONObject, _ change: String) throws -> String {
    var text = fields.text
    guard !change.isEmpty else { return text }
    let names = change.matches(of: #/"(\w+)":/#).map { String($0.1) }
    var rest = fields
    for name in names { rest[name] = nil }
    text = rest.text
    return text.dropLast() + "," + change + "}"
  }
}
