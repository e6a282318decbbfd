import CCurl
import Dispatch

/// Tells when one socket is ready. Its sources live as long as the connection and are suspended
/// while libcurl does not ask: creating them anew for each request would cost two system calls.
/// Confined to the client's queue.
final class SocketWatch {
  let descriptor: Int32
  private let queue: DispatchQueue
  private let onReady: @Sendable (_ events: Int32) -> Void
  private let onSourceEnd: @Sendable () -> Void
  private var reading: Side?
  private var writing: Side?

  fileprivate struct Side {
    let source: any DispatchSourceProtocol
    var isRunning: Bool
  }

  /// - Parameters:
  ///   - onReady: `CURL_CSELECT_IN` or `CURL_CSELECT_OUT`.
  ///   - onSourceEnd: called once for each source when the descriptor is free of it.
  init(
    descriptor: Int32, queue: DispatchQueue, onReady: @escaping @Sendable (Int32) -> Void,
    onSourceEnd: @escaping @Sendable () -> Void
  ) {
    self.descriptor = descriptor
    self.queue = queue
    self.onReady = onReady
    self.onSourceEnd = onSourceEnd
  }

  /// - Parameter what: one of libcurl's `CURL_POLL_…`.
  func watch(_ what: Int32) {
    let read = what == CURL_POLL_IN || what == CURL_POLL_INOUT
    let write = what == CURL_POLL_OUT || what == CURL_POLL_INOUT
    if read && reading == nil {
      reading = start(
        DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue),
        CURL_CSELECT_IN)
    } else {
      reading?.run(read)
    }
    if write && writing == nil {
      writing = start(
        DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue),
        CURL_CSELECT_OUT)
    } else {
      writing?.run(write)
    }
  }

  /// Ends all sources.
  /// - Returns: how many will call `onSourceEnd`. Until then the descriptor must stay open, or
  ///   its number could be given out again while epoll still holds it.
  func cancel() -> Int {
    var ended = 0
    for side in [reading, writing] {
      guard var side else { continue }
      side.run(true)  // a suspended source never runs its cancel handler
      side.source.cancel()
      ended += 1
    }
    reading = nil
    writing = nil
    return ended
  }

  private func start(_ source: any DispatchSourceProtocol, _ event: Int32) -> Side {
    source.setEventHandler { [onReady] in onReady(event) }
    source.setCancelHandler { [onSourceEnd] in onSourceEnd() }
    source.activate()
    return Side(source: source, isRunning: true)
  }
}

extension SocketWatch.Side {
  mutating func run(_ wanted: Bool) {
    guard wanted != isRunning else { return }
    isRunning = wanted
    if wanted { source.resume() } else { source.suspend() }
  }
}
