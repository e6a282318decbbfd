internal import CPostgreSQL

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Connection {
  /// What has arrived for the channels that this connection listens on.
  ///
  /// - Parameter timeout: Wait this long for the first one; by default not at all.
  /// - Throws: `.connection` when it is lost: listen again on a new one, and look at the tables first.
  public mutating func notifications(
    timeout: Duration = .zero
  ) throws(PostgresError) -> [Notification] {
    try requireUsable()
    let deadline = Deadline(after: timeout)
    while true {
      guard unsafe PQconsumeInput(pointer) == 1 else { throw lost() }
      let arrived = takeNotifications()
      guard isUsable else { throw lost() }
      if !arrived.isEmpty || !Self.isReady(socket, for: POLLIN, until: deadline) { return arrived }
    }
  }

  private mutating func takeNotifications() -> [Notification] {
    var arrived: [Notification] = []
    while let notify = unsafe PQnotifies(pointer) {
      unsafe arrived.append(
        Notification(
          channel: String(cString: notify.pointee.relname),
          payload: String(cString: notify.pointee.extra), processID: notify.pointee.be_pid))
      unsafe PQfreemem(notify)
    }
    return arrived
  }
}
