/// How many requests may be on the wire at once: a worker claims no more than it may send.
final class Permits: Sendable {
  private let free: Locked<Int>

  init(_ count: Int) { free = Locked(count) }

  /// Takes as many as are free, at most `limit`.
  func take(upTo limit: Int) -> Int {
    free.withLock { free in
      let taken = min(free, limit)
      free -= taken
      return taken
    }
  }

  func give(_ count: Int) { free.withLock { $0 += count } }

  var available: Int { free.withLock { $0 } }
}
