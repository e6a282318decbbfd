internal import AppStore
internal import Store

/// An attempt that is recorded and may go out.
struct Dispatch: Sendable {
  let work: Work
  let attempt: Attempts.Begun
  let body: ConsumptionBody
  /// When the deadline is, on the clock that this process measures by.
  let deadline: ContinuousClock.Instant
}
