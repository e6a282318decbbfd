#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A value behind a lock. pthread's, because the thread sanitizer knows it and reports false races
/// for `Synchronization.Mutex`.
@safe final class Locked<Value>: Sendable {
  private nonisolated(unsafe) var value: Value
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(_ value: sending Value) {
    unsafe self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&value)
  }
}
