#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A value that several owners share, behind a lock that is held for a few instructions.
///
/// A pthread lock and not `Synchronization.Mutex`, under which the thread sanitizer reports races
/// that are none. `@unchecked Sendable`: the value is reached under the lock alone.
final class Locked<Value>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: Value) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
