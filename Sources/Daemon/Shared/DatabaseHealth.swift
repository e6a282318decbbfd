internal import PostgreSQL

/// What all owners together know of the database: said once when it goes, once when it is back.
///
/// It is back when everybody who had lost it has done something with it again: a server that takes
/// no writes accepts connections all the same.
final class DatabaseHealth: Sendable {
  private struct State {
    var awaySince: ContinuousClock.Instant?
    /// When it went away the last time, also when it is back.
    var lastLoss: ContinuousClock.Instant?
    /// The owners for whom it is away.
    var without: Set<String> = []
    var cancellers: [String: Canceller] = [:]
  }

  private let state = Locked(State())
  private let log: Log

  init(_ log: Log) { self.log = log }

  /// How long somebody has been without it; nil while it is there for all.
  var awayFor: Duration? {
    state.withLock { $0.awaySince.map { ContinuousClock.now - $0 } }
  }

  func connected(_ owner: String, _ canceller: Canceller) {
    state.withLock { $0.cancellers[owner] = canceller }
  }

  func disconnected(_ owner: String) {
    state.withLock { $0.cancellers[owner] = nil }
  }

  func worked(for owner: String) {
    let wasAway: Duration? = state.withLock { state in
      guard state.without.remove(owner) != nil, state.without.isEmpty else { return nil }
      defer { state.awaySince = nil }
      return state.awaySince.map { ContinuousClock.now - $0 }
    }
    guard let wasAway else { return }
    log(
      .info, "database_back",
      "the database is back after \(wasAway.components.seconds) s; work goes on")
  }

  /// - Parameter connectedAt: when the connection was made that failed; nil when none could be. One
  ///   that is older than the last loss was part of it, and found out by an owner who had been idle.
  func failed(for owner: String, connectedAt: ContinuousClock.Instant?, _ error: PostgresError) {
    let isFirst = state.withLock { state in
      if state.awaySince == nil, let connectedAt, let lastLoss = state.lastLoss,
        connectedAt < lastLoss
      {
        return false
      }
      state.without.insert(owner)
      guard state.awaySince == nil else { return false }
      state.awaySince = .now
      state.lastLoss = .now
      return true
    }
    guard isFirst else { return }
    log(
      .error, "database_unreachable",
      "the database cannot be used: \(error.message); nothing is lost, it is tried until it is back"
    )
  }

  /// Ends what runs in the server for `owners`: a shutdown does not wait for slow queries.
  func cancel(_ owners: [String]) {
    let cancellers = state.withLock { state in owners.compactMap { state.cancellers[$0] } }
    for canceller in cancellers { canceller.cancel() }
  }
}
