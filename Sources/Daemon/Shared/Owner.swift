internal import Dispatch

/// Runs an actor on a serial queue of its own, where it may block: a connection is a resource that
/// waits, and waiting on Swift's cooperative pool would stop every other task of the process.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: "consumptiond.\(label)") }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// What `assumeIsolated` asks in blocks that the queue runs without a job: messages and sources.
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// Someone who owns state, and at most one connection, and speaks to the others by messages.
protocol Owner: Actor {
  nonisolated var executor: QueueExecutor { get }
}

extension Owner {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Sends a message. Messages from one sender arrive in their order, which tasks do not promise.
  nonisolated func post(_ message: @escaping @Sendable (isolated Self) -> Void) {
    executor.queue.async { self.assumeIsolated(message) }
  }

  /// Sends a message to arrive later, on a clock that stands still while the machine sleeps.
  nonisolated func post(
    after delay: Duration, _ message: @escaping @Sendable (isolated Self) -> Void
  ) {
    executor.queue.asyncAfter(deadline: .now() + delay.interval) { self.assumeIsolated(message) }
  }
}

extension Duration {
  var interval: DispatchTimeInterval {
    let nanoseconds = components.attoseconds / 1_000_000_000
    return .nanoseconds(Int(components.seconds) * 1_000_000_000 + Int(nanoseconds))
  }
}
