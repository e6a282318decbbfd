/// How many requests may be on the wire at once: a worker claims no more than it may send.
final class Permits: Sendable {
  private struct State {
    var free: Int
    /// Those who came when none was free, and may have work that nobody else saw.
    var refused: [@Sendable () -> Void] = []
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(free: count)) }

  /// Takes as many as are free, at most `limit`.
  ///
  /// - Parameter wake: called when permits are free again after none was. Whoever was refused is
  ///   called, and nobody else: two who call each other would never sleep again.
  func take(upTo limit: Int, orElse wake: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      let taken = min(state.free, limit)
      state.free -= taken
      if taken == 0 { state.refused.append(wake) }
      return taken
    }
  }

  func give(_ count: Int) {
    guard count > 0 else { return }
    let refused = state.withLock { state in
      state.free += count
      defer { state.refused = [] }
      return state.refused
    }
    for wake in refused { wake() }
  }

  var available: Int { state.withLock { $0.free } }
}
