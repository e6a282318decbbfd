import AppStore
import Decision
import HTTP
import Simulation
import Store
import Testing

@testable import Daemon

@Suite("What stands in the way") struct ObstacleTests {
  typealias Obstacle = Identification.Obstacle

  @Test(
    "The table of endings",
    arguments: [
      (
        Obstacle(kind: .final, reason: "customer_gone"), false,
        Ending.withheld(reason: "customer_gone")
      ),
      (Obstacle(kind: .final, reason: "customer_gone"), true, .withheld(reason: "customer_gone")),
      (
        Obstacle(kind: .lasting, reason: "no_consent"), false,
        .held(reason: "no_consent", delay: .seconds(9))
      ),
      (Obstacle(kind: .lasting, reason: "no_consent"), true, .withheld(reason: "no_consent")),
      (
        Obstacle(kind: .lasting, reason: "consent_ambiguous"), false,
        .held(reason: "consent_ambiguous", delay: .seconds(9))
      ),
      (
        Obstacle(kind: .lasting, reason: "consent_ambiguous"), true, .withheld(reason: "no_consent")
      ),
      (
        Obstacle(kind: .lasting, reason: "customer_ambiguous"), true,
        .withheld(reason: "customer_unknown")
      ),
      (
        Obstacle(kind: .unavailable, reason: "consent_unavailable"), false,
        .waiting(reason: "consent_unavailable", delay: .seconds(9))
      ),
      (
        Obstacle(kind: .unavailable, reason: "consent_unavailable"), true,
        .missed(reason: "consent_unavailable")
      ),
    ])
  func endings(obstacle: Obstacle, late: Bool, ending: Ending) {
    #expect(obstacle.ending(late: late, delay: .seconds(9)) == ending)
  }

  @Test("Only a granted consent goes on") func consent() {
    let proof = ConsentProof(json: "{}")
    #expect(
      Identification.finding(ConsentFinding.granted(proof), customer: "7")
        == .consenting(customer: "7", proof))
    for finding in [ConsentFinding.notGranted(nil), .ambiguous, .unavailable(Trouble("x"))] {
      guard case .stopped = Identification.finding(finding, customer: "7") else {
        Issue.record("\(finding) goes on")
        continue
      }
    }
  }
}

@Suite("Routing") struct RoutingTests {
  @Test(
    "What ends before anybody is looked for",
    arguments: [
      (["inAppOwnershipType": "FAMILY_SHARED"], Ending.withheld(reason: "family_shared")),
      (["inAppOwnershipType": "ASSIGNED"], .withheld(reason: "assigned")),
      (["advancedCommerceInfo": [:]], .failed(reason: "advanced_commerce_unsupported")),
      (["inAppOwnershipType": "SOMETHING_NEW"], nil),
      ([:], nil),
    ] as [([String: JSONValue], Ending?)])
  func purchases(changes: [String: JSONValue], ending: Ending?) throws {
    #expect(Routing.ending(try .sample(changes), lateLimit: .seconds(86_400)) == ending)
  }

  @Test("Apple has decided") func settled() throws {
    let work = try Work.sample(settled: true, ["inAppOwnershipType": "FAMILY_SHARED"])
    #expect(Routing.ending(work, lateLimit: .seconds(86_400)) == .settled)
  }

  @Test("After Apple stopped waiting nothing is tried") func tooLate() throws {
    let work = try Work.sample(signedAgo: .seconds(86_401), late: true)
    #expect(
      Routing.ending(work, lateLimit: .seconds(86_400)) == .missed(reason: "no_worker"))
    #expect(
      try Routing.ending(.sample(signedAgo: .seconds(86_300)), lateLimit: .seconds(86_400)) == nil)
  }
}

@Suite("Recording") struct RecordingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let status: Int?
    var body = ""
    var headers: [(name: String, value: String)] = []
    var isLate = false
    var renewed = false
    let word: String
    let state: String
    let reason: String?
    var degrade = false
    var testDescription: String {
      "\(status ?? 0) \(body) \(isLate ? "late" : "") \(renewed ? "fresh token" : "")"
    }
  }

  static let cases = [
    Case(status: 202, word: "accepted", state: "answered", reason: nil),
    Case(status: 202, isLate: true, word: "accepted", state: "answered", reason: nil),
    Case(
      status: 200, body: #"{"errorCode":4000036}"#, word: "unknown", state: "waiting",
      reason: "retry"),
    Case(status: 204, word: "unknown", state: "waiting", reason: "retry"),
    Case(status: 302, word: "retry", state: "waiting", reason: "retry"),
    Case(status: 401, word: "unauthorized", state: "waiting", reason: "retry"),
    Case(status: 401, renewed: true, word: "unauthorized", state: "waiting", reason: "gate"),
    Case(status: 401, isLate: true, word: "unauthorized", state: "missed", reason: "unauthorized"),
    Case(
      status: 429, headers: [("Retry-After", "5")], word: "limited", state: "waiting",
      reason: "gate"),
    Case(status: 429, isLate: true, word: "limited", state: "missed", reason: "rate_limited"),
    Case(status: 500, word: "retry", state: "waiting", reason: "retry"),
    Case(status: 503, isLate: true, word: "retry", state: "missed", reason: "apple_unreachable"),
    Case(
      status: 400, body: #"{"errorCode":4000006}"#, word: "refused", state: "failed",
      reason: "apple_4000006"),
    Case(
      status: 404, body: #"{"errorCode":4040010}"#, word: "refused", state: "failed",
      reason: "apple_4040010"),
    Case(status: 400, body: "<html>", word: "refused", state: "failed", reason: "apple_refused"),
    Case(
      status: 400, body: #"{"errorCode":4000209}"#, word: "refused", state: "waiting",
      reason: "retry", degrade: true),
    Case(status: nil, word: "unknown", state: "waiting", reason: "retry"),
    Case(status: nil, isLate: true, word: "unknown", state: "missed", reason: "outcome_unknown"),
  ]

  @Test("The table of what is written down", arguments: cases) func table(row: Case) throws {
    let recording = Recording(
      dispatch: try .sample(isLate: row.isLate), tokenWasRenewed: row.renewed)
    let result: Result<HTTPResponse, HTTPError> =
      if let status = row.status {
        .success(
          HTTPResponse(
            status: status, headers: HTTPHeaders(row.headers), body: Array(row.body.utf8)))
      } else {
        .failure(HTTPError(kind: .timeout, message: "too long", mayHaveBeenSent: true))
      }
    let record = recording.record(result, now: .now(), random: 0.5)
    #expect(record.result == row.word)
    #expect(record.ending.state == row.state)
    #expect(record.ending.reason == row.reason)
    #expect(record.degrade == row.degrade)
    #expect(record.httpStatus == row.status)
    #expect((record.lastError == nil) == (row.state == "answered"))
  }

  @Test("What never left is no attempt, and what may have left concludes nothing") func endings()
    throws
  {
    let recording = Recording(dispatch: try .sample(), tokenWasRenewed: false)
    #expect(recording.unsent("why").result == nil)
    #expect(recording.unsent("why").ending == .waiting(reason: "retry", delay: .zero))
    #expect(recording.interrupted().ending == .inFlight)
    #expect(recording.interrupted().result == "unknown")
    let refused = HTTPError(kind: .connect, message: "refused", mayHaveBeenSent: false)
    #expect(recording.record(.failure(refused), now: .now(), random: 0).result == "retry")
  }
}
