import Dispatch
import TestSupport

/// Waits for something that nothing announces, without holding a thread.
///
/// - Throws: when it did not come about in time, with what was waited for.
func until(
  _ what: String, within limit: Duration = .seconds(30), _ isTrue: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try !isTrue() {
    guard ContinuousClock.now < end else { throw TestSupportError("waited in vain: \(what)") }
    try await Task.sleep(for: .milliseconds(15))
  }
}

/// Runs what blocks for long on a thread of its own: tests share two.
func offThePool<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "EndToEndTests.blocking").async {
      continuation.resume(with: Result { try work() })
    }
  }
}

extension Optional {
  func orThrow(_ what: String) throws -> Wrapped {
    guard let self else { throw TestSupportError("missing: \(what)") }
    return self
  }
}

/// Lets so many in at once: every bench has daemons, and every daemon seven connections.
actor Slots {
  private var free: Int
  private var queue: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { queue.append($0) }
    }
  }

  func leave() {
    if queue.isEmpty { free += 1 } else { queue.removeFirst().resume() }
  }
}
