/// How many requests may be on the wire at once: a worker claims no more than it may send.
final class Permits: Sendable {
  private struct State {
    var free: Int
    /// Somebody came when none was free, and may have work that nobody else saw.
    var someoneWasRefused = false
    var wake: @Sendable () -> Void = {}
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(free: count)) }

  /// - Parameter wake: called when permits are free again after somebody was refused.
  func onFree(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  /// Takes as many as are free, at most `limit`.
  func take(upTo limit: Int) -> Int {
    state.withLock { state in
      let taken = min(state.free, limit)
      state.free -= taken
      if taken == 0 { state.someoneWasRefused = true }
      return taken
    }
  }

  func give(_ count: Int) {
    guard count > 0 else { return }
    let wake: (@Sendable () -> Void)? = state.withLock { state in
      state.free += count
      defer { state.someoneWasRefused = false }
      return state.someoneWasRefused ? state.wake : nil
    }
    wake?()
  }

  var available: Int { state.withLock { $0.free } }
}
