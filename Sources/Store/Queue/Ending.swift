/// How a worker lets go of a request: the state that it enters, and why.
public enum Ending: Sendable, Equatable {
  /// Apple said 202. The database adds `late`, `repeat`, `degraded` where so.
  case answered
  /// Not before `delay` from now, and at the latest at the deadline.
  case waiting(reason: String, delay: Duration)
  /// Until somebody changes what keeps it; looked at again after `delay`.
  case held(reason: String, delay: Duration)
  case withheld(reason: String)
  /// Decided, and nothing is sent: the daemon only observes.
  case observed
  /// Apple decided before it was answered.
  case settled
  case failed(reason: String)
  case missed(reason: String)
  /// It may be with Apple: nothing changes until the lease runs out and it is taken up again.
  case inFlight

  /// The word in `consumptiond.request.state`.
  public var state: String {
    switch self {
    case .answered: "answered"
    case .waiting: "waiting"
    case .held: "held"
    case .withheld: "withheld"
    case .observed: "observed"
    case .settled: "settled"
    case .failed: "failed"
    case .missed: "missed"
    case .inFlight: "working"
    }
  }

  /// The word in `consumptiond.request.state_reason`.
  public var reason: String? {
    switch self {
    case .answered, .observed, .settled, .inFlight: nil
    case .waiting(let reason, _), .held(let reason, _), .withheld(let reason), .failed(let reason),
      .missed(let reason):
      reason
    }
  }

  var delay: Duration? {
    switch self {
    case .waiting(_, let delay), .held(_, let delay): delay
    case .answered, .observed, .withheld, .settled, .failed, .missed, .inFlight: nil
    }
  }
}
