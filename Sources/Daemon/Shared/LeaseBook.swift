/// The leases that this process holds, and how long each is good for.
///
/// Counted from before the claim or the renewal was sent, on a clock that runs through suspend: a
/// worker that was frozen past its lease knows it when it wakes.
final class LeaseBook: Sendable {
  let duration: Duration
  private let goodUntil: Locked<[String: ContinuousClock.Instant]>

  init(duration: Duration) {
    self.duration = duration
    goodUntil = Locked([:])
  }

  var tokens: [String] { goodUntil.withLock { Array($0.keys) } }

  var isEmpty: Bool { goodUntil.withLock { $0.isEmpty } }

  /// Notes leases that were claimed by a statement sent at `sent`.
  func add(_ tokens: [String], sent: ContinuousClock.Instant) {
    goodUntil.withLock { book in
      for token in tokens { book[token] = sent + duration }
    }
  }

  /// Notes a renewal: of `asked`, those in `renewed` are good from `sent`, the others are lost.
  /// Returns how many were lost.
  func renew(asked: [String], renewed: Set<String>, sent: ContinuousClock.Instant) -> Int {
    goodUntil.withLock { book in
      var lost = 0
      for token in asked where book[token] != nil {
        if renewed.contains(token) {
          book[token] = sent + duration
        } else {
          book[token] = nil
          lost += 1
        }
      }
      return lost
    }
  }

  func remove(_ tokens: [String]) {
    goodUntil.withLock { book in
      for token in tokens { book[token] = nil }
    }
  }

  /// Whether a request that takes up to `time` may begin now under this lease.
  func isGood(_ token: String, for time: Duration) -> Bool {
    goodUntil.withLock { book in
      guard let until = book[token] else { return false }
      return ContinuousClock.now + time <= until
    }
  }
}
