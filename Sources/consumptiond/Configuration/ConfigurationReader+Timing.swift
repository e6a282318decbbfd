import AppStore
import Decision

extension ConfigurationReader {
  /// Longer than Apple's window nothing can be left.
  private static let inWindow: ClosedRange<Duration> = .seconds(1)...Deadline.window(.production)

  func deadline(_ node: ConfigurationNode?) throws(ConfigurationError) -> DeadlinePolicy {
    let defaults = DeadlinePolicy()
    guard let object = try node?.object(["decideBy", "alertWhenLeft", "respondAfter"]) else {
      return defaults
    }
    if let respondAfter = object.optional("respondAfter") {
      let delay = try respondAfter.duration(in: .zero...Deadline.window(.production))
      if delay != .zero { throw respondAfter.notBuiltYet("anything but \"0s\"") }
    }
    let alerts = try object.optional("alertWhenLeft").map { node throws(ConfigurationError) in
      var durations: [Duration] = []
      for member in try node.list(of: "durations") {
        durations.append(try member.duration(in: Self.inWindow))
      }
      return durations
    }
    return DeadlinePolicy(
      decideBy: try object.optional("decideBy")?.duration(in: Self.inWindow) ?? defaults.decideBy,
      alertWhenLeft: alerts ?? defaults.alertWhenLeft)
  }

  func worker(_ node: ConfigurationNode?) throws(ConfigurationError) -> Configuration.Worker {
    var worker = Configuration.Worker()
    guard let object = try node?.object(["concurrency", "requestTimeout", "queryTimeout"]) else {
      return worker
    }
    if let concurrency = try object.optional("concurrency")?.integer(in: 1...64) {
      worker.concurrency = Int(concurrency)
    }
    // A request must end within its lease: 45 s, of which two renewals of 15 s may fail.
    if let timeout = try object.optional("requestTimeout")?.duration(
      in: .seconds(1)...(.seconds(15)))
    {
      worker.requestTimeout = timeout
    }
    if let timeout = try object.optional("queryTimeout")?.duration(
      in: .seconds(1)...(.seconds(60)))
    {
      worker.queryTimeout = timeout
    }
    return worker
  }

  func retention(
    _ node: ConfigurationNode?
  ) throws(ConfigurationError) -> Configuration.Retention {
    var retention = Configuration.Retention()
    guard let object = try node?.object(["payloads", "evidence", "rejected"]) else {
      return retention
    }
    // A payload may still be needed while its request is open.
    let range: ClosedRange<Duration> = .seconds(86_400)...(.seconds(36_500 * 86_400))
    if let payloads = try object.optional("payloads")?.duration(in: range) {
      retention.payloads = payloads
    }
    if let evidence = try object.optional("evidence")?.duration(in: range) {
      retention.evidence = evidence
    }
    if let rejected = try object.optional("rejected")?.duration(in: range) {
      retention.rejected = rejected
    }
    return retention
  }
}
