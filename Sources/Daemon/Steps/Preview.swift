internal import AppStore
internal import Decision
public import PostgreSQL
public import Store

/// What a worker would do with a request now, found by the steps that a worker takes: route,
/// identify, consent, usage, decide. Nothing is written and nothing sent.
public struct Preview: Sendable {
  /// How a worker would let go of it; nil: its answer would go out.
  public enum Ending: Sendable, Equatable {
    case withheld(reason: String)
    case observed
    /// Apple decided before it was answered.
    case settled
    case held(reason: String)
    /// Until then at least, where that is known.
    case waiting(reason: String, delay: Duration?)
    case failed(reason: String)
    case missed(reason: String)
  }

  public private(set) var ending: Ending?
  /// What stands in the way, in PostgreSQL's words.
  public private(set) var trouble: String?
  public private(set) var customer: String?
  public private(set) var consent: ConsentProof?
  /// What is decided now; of a request that waits: what would be, had it to be decided now.
  public private(set) var decision: DecisionRecord?
  /// The bytes for Apple; those that were decided before, where they were.
  public private(set) var body: String?

  /// - Throws: when PostgreSQL could not be asked at all.
  public static func of(
    _ work: Work, settings: Settings, queries: Queries, on connection: inout Connection
  ) throws(PostgresError) -> Preview {
    var preview = Preview()
    try preview.follow(work, settings, queries, on: &connection)
    return preview
  }

  private init() {}

  private mutating func follow(
    _ work: Work, _ settings: Settings, _ queries: Queries, on connection: inout Connection
  ) throws(PostgresError) {
    if let ending = Routing.ending(work, lateLimit: Deadline.lateLimit(work.environment)) {
      self.ending = Ending(ending)
      return
    }
    let batch = ReadOnlyBatch(
      searchPath: settings.queries.searchPath, statementTimeout: settings.queryTimeout,
      budget: settings.queryTimeout)
    let findings = try Identification(queries: queries, batch: batch)
      .find([PurchaseValues(work.transaction)], on: &connection)
    switch findings.first {
    case .stopped(let obstacle, let customer, let proof):
      self.customer = customer
      consent = proof
      trouble = obstacle.trouble?.message
      ending = Ending(obstacle.ending(late: work.isLate, delay: .zero))
    case .consenting(let customer, let proof):
      self.customer = customer
      consent = proof
      try decide(
        Consenting(work: work, customer: customer, consent: proof),
        Deciding(settings: settings, queries: queries, batch: batch), on: &connection)
    case nil: return
    }
  }

  private mutating func decide(
    _ request: Consenting, _ deciding: Deciding, on connection: inout Connection
  ) throws(PostgresError) {
    guard !request.work.decided else {
      let stored = request.work.body.flatMap(ConsumptionBody.init(json:))
      body = (request.work.degraded ? stored?.withoutOptionals : stored)?.json
      end(deciding.settings.mode)
      return
    }
    switch try deciding.decide([request], on: &connection).first {
    case .decided(let record):
      take(record)
      end(deciding.settings.mode)
      return
    case .waits(let trouble):
      self.trouble = trouble.message
      ending = .waiting(reason: "usage_unavailable", delay: nil)
    case .settles(let delay): ending = .waiting(reason: "settle", delay: delay)
    case .review: ending = .held(reason: "review")
    case .refused(let error):
      trouble = error
      ending = .held(reason: "review")
      return
    case nil: return
    }
    var forced = deciding
    forced.isForced = true
    if case .decided(let record) = try forced.decide([request], on: &connection).first {
      take(record)
    }
  }

  /// Whoever only observes ends it; else a body goes out, and none was a rule's word.
  private mutating func end(_ mode: Settings.Mode) {
    ending = mode == .observe ? .observed : body == nil ? .withheld(reason: "rule") : nil
  }

  private mutating func take(_ record: DecisionRecord) {
    decision = record
    body = record.body
  }
}

extension Preview.Ending {
  /// Nil for an ending that only a request on the wire has.
  fileprivate init?(_ ending: Store.Ending) {
    switch ending {
    case .withheld(let reason): self = .withheld(reason: reason)
    case .observed: self = .observed
    case .settled: self = .settled
    case .held(let reason, _): self = .held(reason: reason)
    case .waiting(let reason, _): self = .waiting(reason: reason, delay: nil)
    case .failed(let reason): self = .failed(reason: reason)
    case .missed(let reason): self = .missed(reason: reason)
    case .answered, .inFlight: return nil
    }
  }

  /// The words in `consumptiond.request`: `state`, `state_reason`.
  public var words: (state: String, reason: String?) {
    switch self {
    case .withheld(let reason): ("withheld", reason)
    case .observed: ("observed", nil)
    case .settled: ("settled", nil)
    case .held(let reason): ("held", reason)
    case .waiting(let reason, _): ("waiting", reason)
    case .failed(let reason): ("failed", reason)
    case .missed(let reason): ("missed", reason)
    }
  }
}
