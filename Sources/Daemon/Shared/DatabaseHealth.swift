internal import PostgreSQL

/// What all owners together know of the database: said once when it goes, once when it is back.
final class DatabaseHealth: Sendable {
  private struct State {
    var awaySince: ContinuousClock.Instant?
    var cancellers: [String: Canceller] = [:]
  }

  private let state = Locked(State())
  private let log: Log

  init(_ log: Log) { self.log = log }

  /// How long nobody could connect; nil while the database is there.
  var awayFor: Duration? {
    state.withLock { $0.awaySince.map { ContinuousClock.now - $0 } }
  }

  func connected(_ owner: String, _ canceller: Canceller) {
    let wasAway = state.withLock { state in
      state.cancellers[owner] = canceller
      defer { state.awaySince = nil }
      return state.awaySince.map { ContinuousClock.now - $0 }
    }
    guard let wasAway else { return }
    log(
      .info, "database_back",
      "the database is back after \(wasAway.components.seconds) s; work goes on")
  }

  func disconnected(_ owner: String) {
    state.withLock { $0.cancellers[owner] = nil }
  }

  func failed(_ error: PostgresError) {
    let isFirst = state.withLock { state in
      defer { state.awaySince = state.awaySince ?? ContinuousClock.now }
      return state.awaySince == nil
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
