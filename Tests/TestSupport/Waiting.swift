import Foundation

/// Waits for something that nothing announces, looking every few milliseconds.
///
/// - Throws: When it did not come about in time, with what was waited for.
public func waitUntil(
  _ what: String, within limit: Duration = .seconds(20), _ isTrue: () throws -> Bool
) throws {
  let end = ContinuousClock.now.advanced(by: limit)
  while try !isTrue() {
    guard ContinuousClock.now < end else { throw TestSupportError("waited in vain: \(what)") }
    usleep(3000)
  }
}

/// Runs something blocking beside a test, on a thread of its own, and hands back its result.
public final class Background<Value: Sendable>: Sendable {
  private let result = Locked<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  public init(_ work: @escaping @Sendable () throws -> Value) {
    DispatchQueue(label: "TestSupport.background").async { [result, done] in
      let outcome = Result { try work() }
      result.withLock { $0 = outcome }
      done.signal()
    }
  }

  /// Waits for the result; once only.
  public func value(within limit: Duration = .seconds(30)) throws -> Value {
    guard done.wait(timeout: .now() + .seconds(Int(limit.components.seconds))) == .success,
      let result = result.withLock({ $0 })
    else { throw TestSupportError("the work in the background did not end within \(limit)") }
    return try result.get()
  }
}
