internal import CPostgreSQL
internal import Dispatch

/// Asks the server, from any thread, to cancel what a connection is running.
///
/// It may outlive its connection: the server then ignores it. Whoever cancels from another thread
/// may hit the statement after the one that was meant; cancel when the connection's work as a whole
/// is to end.
public struct Canceller: Sendable {
  private let request: CancelRequest

  init?(_ connection: OpaquePointer) {
    guard let request = unsafe PQgetCancel(connection) else { return nil }
    self.request = unsafe CancelRequest(Handle(request))
  }

  /// Sends the request and returns at once; the statement then fails with `.cancelled`, unless it
  /// was over already.
  public func cancel() {
    _ = start()
  }

  /// Sends the request. PQcancel connects and waits blockingly, without a limit when the network
  /// swallows packets, so it gets a queue of its own.
  func start() -> Cancellation {
    let cancellation = Cancellation()
    DispatchQueue(label: "PostgreSQL.cancel").async { [request] in
      request.send()
      cancellation.done.signal()
    }
    return cancellation
  }
}

/// A request that is on its way.
final class Cancellation: Sendable {
  fileprivate let done = DispatchSemaphore(value: 0)

  /// Waits until the server has passed the signal on. Before that the connection must not be used
  /// again: the next statement would be the one that is cancelled.
  func isFinished(by deadline: Deadline) -> Bool {
    guard done.wait(timeout: deadline.dispatchTime) == .success else { return false }
    done.signal()
    return true
  }
}

@safe private final class CancelRequest: Sendable {
  private let handle: Handle<OpaquePointer>

  init(_ handle: Handle<OpaquePointer>) {
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe PQfreeCancel(handle.pointer)
  }

  func send() {
    var complaint = [CChar](repeating: 0, count: 256)
    _ = unsafe PQcancel(handle.pointer, &complaint, Int32(complaint.count))
  }
}

extension Deadline {
  var dispatchTime: DispatchTime {
    .now() + .milliseconds(Int(remainingMilliseconds))
  }
}
