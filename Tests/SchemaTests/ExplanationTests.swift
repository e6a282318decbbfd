import PostgreSQL
import TestSupport
import Testing

/// The sentences that a support agent reads, whole: a change of words is a change of this list.
@Suite("Explanations") struct ExplanationTests {
  private let schema: InstalledSchema

  init() throws { schema = try InstalledSchema() }

  private static let beginning =
    "At 2026-11-30 08:00:00 UTC Apple asked about the refund of transaction 700001 (pro.monthly), no reason given. "

  private static let stories: [(state: String, reason: String?, changes: String, words: String)] = [
    ("queued", nil, "", "It is ready for a worker. The answer is due by 2026-11-30 20:00:00 UTC."),
    (
      "queued", nil, "late = true",
      "The deadline has passed; it is tried once more. It is ready for a worker."
    ),
    ("working", nil, "", "A worker is on it now. The answer is due by 2026-11-30 20:00:00 UTC."),
    (
      "waiting", "retry", "attempts = 2, last_error = 'HTTP 500'",
      "It was tried twice so far. The last trouble was: HTTP 500. It waits until 2026-11-30 09:30:00 UTC (the attempt is repeated). The answer is due by 2026-11-30 20:00:00 UTC."
    ),
    (
      "waiting", "gate", "attempts = 1",
      "It was tried once so far. It waits until 2026-11-30 09:30:00 UTC (Apple takes no answers from this app for now). The answer is due by 2026-11-30 20:00:00 UTC."
    ),
    (
      "held", "no_consent", "",
      "It is held: the customer has not consented. It is looked at again at 2026-11-30 09:30:00 UTC; nothing is sent before that changes. The answer is due by 2026-11-30 20:00:00 UTC."
    ),
    (
      "answered", nil, "last_error = 'HTTP 500'",
      "Apple accepted the answer at 2026-11-30 09:00:00 UTC."
    ),
    (
      "answered", "late repeat degraded",
      "late = true, degraded = true, attempts = 3, answered_at = deadline + interval '1 minute'",
      "Apple accepted the answer at 2026-11-30 20:01:00 UTC, at attempt 3, after the deadline. An earlier attempt may have reached Apple too, with the same content. Apple had refused the optional fields, so the answer carried the required ones alone."
    ),
    ("observed", nil, "", "Nothing was sent: the daemon only observes."),
    (
      "withheld", "customer_unknown", "",
      "Nothing was sent: no customer is known for this purchase."
    ),
    (
      "withheld", "no_consent", "attempts = 1",
      "It was tried once so far. Nothing more was sent: the customer has not consented."
    ),
    ("settled", nil, "", "Apple decided before it was answered."),
    (
      "failed", "apple_4000047", "attempts = 1, last_error = 'HTTP 400, code 4000047: No.'",
      "It was tried once so far. The last trouble was: HTTP 400, code 4000047: No. It failed for good: Apple refused the answer with code 4000047."
    ),
    (
      "missed", "expired_on_arrival", "",
      "The deadline was missed: it arrived after Apple stopped waiting."
    ),
    (
      "missed", "apple_unreachable", "attempts = 12",
      "It was tried 12 times so far. The deadline was missed: Apple could not be reached or had no answer."
    ),
    ("cancelled", nil, "", "It was cancelled."),
  ]

  @Test("Each state tells its story") func states() throws {
    var connection = try schema.connect()
    // Nothing that people set may change a word or an hour.
    try connection.script(
      "SET TimeZone = 'Pacific/Auckland'; SET DateStyle = 'German'; SET search_path = pg_temp")
    for story in Self.stories {
      let id = try connection.insertRequest(
        state: story.state, reason: story.reason, changes: story.changes)
      #expect(
        try connection.value(
          "SELECT explanation FROM consumptiond.request WHERE id = $1", [.int(id)])
          == Self.beginning + story.words)
    }
  }

  @Test("The paragraph of the decision takes the place of the beginning") func paragraph() throws {
    var connection = try schema.connect()
    _ = try connection.insertRequest(state: "working")
    _ = try connection.query(
      "UPDATE consumptiond.request_evidence SET paragraph = 'Decided so.', reason = 'OTHER'")
    #expect(
      try connection.value("SELECT explanation FROM consumptiond.request")
        == "Decided so. A worker is on it now. The answer is due by 2026-11-30 20:00:00 UTC.")
  }

  @Test("Every reason that the program gives has words of its own") func reasons() throws {
    var connection = try schema.connect()
    let reasons = [
      "no_consent", "consent_ambiguous", "customer_unknown", "customer_ambiguous", "customer_gone",
      "family_shared", "assigned", "rule", "usage_unavailable", "consent_unavailable",
      "customer_unavailable", "retry", "gate", "review", "worker_died", "apple_unreachable",
      "expired_on_arrival", "outcome_unknown", "unauthorized", "rate_limited", "no_worker",
      "advanced_commerce_unsupported", "apple_refused", "unreadable", "undecided", "apple_4040010",
    ]
    for reason in reasons {
      let words = try connection.value("SELECT consumptiond.reason_words($1)", [.text(reason)])
      #expect(words != reason.replacing("_", with: " "), "\(reason)")
    }
    // One that is new is still readable.
    #expect(
      try connection.value("SELECT consumptiond.reason_words('usage_from_mars')")
        == "usage from mars")
  }
}
