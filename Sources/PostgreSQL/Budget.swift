/// The time for one exchange with the server: until its deadline, and after that the little that it
/// takes to cancel and to come back into step.
struct Budget {
  /// A cancel request hits what runs at that moment; behind it the next group of a pipeline starts.
  /// It gets this long to finish by itself before it is cancelled too.
  private static let pause = Duration.milliseconds(20)

  private var deadline: Deadline
  private var end: Deadline?
  private var cancellation: Cancellation?

  init(_ timeout: Duration) {
    deadline = Deadline(after: timeout)
  }

  /// The caller's time is over and what runs has been asked to stop.
  var isOver: Bool { end != nil }

  /// The caller's time is over: nothing new may begin.
  var isSpent: Bool { isOver || deadline.hasPassed }

  /// When the wait that is about to begin has to end.
  var nextDeadline: Deadline { deadline }

  /// The deadline has passed: cancels what runs.
  ///
  /// - Returns: False when the time for that is over as well.
  mutating func extend(with canceller: Canceller) -> Bool {
    let end = self.end ?? Deadline(after: Connection.drainTime)
    self.end = end
    if end.hasPassed { return false }
    if cancellation?.isFinished(by: Deadline(after: .zero)) ?? true {
      cancellation = canceller.start()
    }
    deadline = Deadline(at: min(end.instant, Deadline(after: Self.pause).instant))
    return true
  }

  /// Whether no cancel request is under way that could hit the next statement.
  func isSettled() -> Bool {
    guard let cancellation, let end else { return true }
    return cancellation.isFinished(by: end)
  }
}
