import Foundation

/// A value behind a lock.
public final class Locked<Value>: @unchecked Sendable {
  // Sendable because `value` is touched under `lock` alone.
  private var value: Value
  private let lock = NSLock()

  public init(_ value: sending Value) {
    self.value = value
  }

  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// Numbers that are never given twice in a process.
final class Counter: Sendable {
  private let last = Locked(0)

  func next() -> Int {
    last.withLock { value in
      value += 1
      return value
    }
  }
}
