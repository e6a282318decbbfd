import AppStore
import Store

/// `status --json`: the keys are an interface.
enum StatusJSON {
  static func text(_ report: StatusReport) -> String {
    JSONText.object([
      ("schema_version", .int(Int64(report.schemaVersion))),
      ("daemon_connections", .int(report.daemonConnections)),
      ("unread", .int(report.unread)),
      ("oldest_unread_seconds", .optional(report.oldestUnreadSeconds)),
      ("missed_last_week", .int(report.missedLastWeek)),
      ("rejected_last_day", .int(report.rejectedLastDay)),
      (
        "paused",
        .array(
          report.pauses.map {
            .object([
              ("bundle_id", .optional($0.bundleId)), ("by", .string($0.person)),
              ("note", reason($0.note)), ("seconds", .int($0.seconds)),
            ])
          })
      ),
      (
        "states",
        .array(
          report.states.map {
            .object([
              ("state", .string($0.state)), ("state_reason", reason($0.reason)),
              ("requests", .int($0.requests)),
            ])
          })
      ),
      ("open", .array(report.open.map(open))),
      ("lost", .array(report.lost.map(lost))),
      ("rejected", .array(report.rejected.map(rejected))),
      (
        "problems",
        .array(
          StatusProblem.all(report).map {
            .object([("problem", .string($0.name)), ("message", .string($0.sentence))])
          })
      ),
    ]).text
  }

  private static func open(_ request: StatusReport.OpenRequest) -> JSONText {
    .object([
      ("id", .int(request.id)), ("bundle_id", .string(request.bundleId)),
      ("environment", .string(request.environment)),
      ("transaction_id", .string(request.transactionId)), ("state", .string(request.state)),
      ("state_reason", reason(request.reason)), ("late", .bool(request.late)),
      ("deadline", .string(request.deadline.iso8601)), ("seconds_left", .int(request.secondsLeft)),
      ("attempts", .int(Int64(request.attempts))),
      ("next_attempt_at", .optional(request.nextAttemptAt?.iso8601)),
      ("last_error", reason(request.lastError)),
    ])
  }

  private static func lost(_ request: StatusReport.LostRequest) -> JSONText {
    .object([
      ("id", .int(request.id)), ("bundle_id", .string(request.bundleId)),
      ("environment", .string(request.environment)),
      ("transaction_id", .string(request.transactionId)), ("state", .string(request.state)),
      ("state_reason", reason(request.reason)), ("deadline", .string(request.deadline.iso8601)),
      ("last_error", reason(request.lastError)),
    ])
  }

  private static func rejected(_ rejected: StatusReport.Rejected) -> JSONText {
    .object([
      ("reason", .string(rejected.reason)), ("payloads", .int(rejected.payloads)),
      ("newest_id", .int(rejected.newestId)),
      ("newest_at", .string(rejected.newestAt.iso8601)),
      ("newest_detail", .string(rejected.newestDetail)),
    ])
  }

  private static func reason(_ text: String) -> JSONText { text.isEmpty ? .null : .string(text) }
}
