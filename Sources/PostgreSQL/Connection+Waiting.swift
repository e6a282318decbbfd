internal import CPostgreSQL

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// How a wait ended.
enum Readiness {
  /// The next result can be taken without waiting.
  case result
  case deadlinePassed
  case connectionLost
}

extension Connection {
  /// Sends what is still to be sent and receives until a result is complete.
  ///
  /// Reads while it writes: a server that blocks on sending results stops reading statements.
  mutating func waitForResult(until deadline: Deadline) -> Readiness {
    while true {
      let unsent = unsafe PQflush(pointer)
      if unsafe PQisBusy(pointer) == 0 {
        return unsafe PQstatus(pointer) == CONNECTION_OK ? .result : .connectionLost
      }
      if unsent < 0 { return .connectionLost }
      let events = unsent > 0 ? POLLIN | POLLOUT : POLLIN
      guard Self.isReady(socket, for: events, until: deadline) else { return .deadlinePassed }
      if unsafe PQconsumeInput(pointer) == 0 { return .connectionLost }
      // While a result keeps coming, poll never finds that the time is over.
      if unsafe PQisBusy(pointer) != 0, deadline.hasPassed { return .deadlinePassed }
    }
  }

  /// Waits for a socket; false when the deadline passed.
  static func isReady(_ socket: Int32, for events: Int32, until deadline: Deadline) -> Bool {
    var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
    while true {
      let count = unsafe poll(&descriptor, 1, deadline.remainingMilliseconds)
      if count > 0 { return true }
      if count == 0 { return false }
      // A descriptor that cannot be polled is reported by the read that follows.
      if errno != EINTR { return true }
    }
  }
}
