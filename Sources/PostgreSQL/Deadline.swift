/// A moment on the clock that runs through suspend, after which a wait is given up.
struct Deadline {
  let instant: ContinuousClock.Instant

  init(after timeout: Duration) {
    instant = .now.advanced(by: timeout)
  }

  init(at instant: ContinuousClock.Instant) {
    self.instant = instant
  }

  var hasPassed: Bool { remaining <= .zero }

  var remaining: Duration { ContinuousClock.now.duration(to: instant) }

  /// For poll(2): milliseconds, rounded up so that a wait does not spin through its last one.
  var remainingMilliseconds: Int32 {
    let rest = remaining.components
    guard rest.seconds >= 0, rest.attoseconds >= 0 else { return 0 }
    guard rest.seconds < 1_000_000 else { return 1_000_000_000 }
    let milliseconds = (rest.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(rest.seconds * 1000 + milliseconds)
  }
}
