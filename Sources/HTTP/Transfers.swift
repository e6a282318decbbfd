import CCurl
import Dispatch

/// The owner of libcurl: an actor on one serial queue, woken by ready sockets and by libcurl's
/// timer.
@safe actor Transfers {
  nonisolated let queue: DispatchQueue
  private let executor: QueueExecutor
  private let width: Int
  private let roots: Roots

  private var multi: UnsafeMutableRawPointer?
  private var lines: [String: HostLine] = [:]
  /// By the address of their handle.
  private var running: [Int: Transfer] = [:]
  private var poll: SocketPoll?
  private var timer: (any DispatchSourceTimer)?
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(width: Int, roots: Roots) {
    executor = QueueExecutor(label: "consumptiond.http")
    queue = executor.queue
    self.width = width
    self.roots = roots
  }

  func enqueue(_ item: Waiting) {
    guard !isClosed else { return item.cancel() }
    let host = item.host
    lines[host, default: HostLine()].add(item)
    startWaiting(at: host)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    let waiting = lines.values.flatMap { line in
      var line = line
      return line.removeWaiting()
    }
    lines = [:]
    let ended = Array(running.values)
    for transfer in ended { unsafe curl_multi_remove_handle(multi, transfer.handle) }
    running = [:]
    timer?.cancel()
    timer = nil
    if let multi = unsafe multi {
      unsafe self.multi = nil
      unsafe curl_multi_cleanup(multi)
    }
    poll = nil
    for transfer in ended { transfer.completion(.failure(transfer.cancelled())) }
    for item in waiting { item.cancel() }
  }

  private func startWaiting(at host: String) {
    while let item = lines[host]?.next(width: width) { start(item) }
    if lines[host]?.isIdle == true { lines[host] = nil }
  }

  private func start(_ item: Waiting) {
    do throws(HTTPError) {
      let left = item.request.timeout - (ContinuousClock.now - item.arrived)
      guard left > .zero else {
        throw HTTPError(
          kind: .timeout, message: "no connection became free in time", mayHaveBeenSent: false)
      }
      let multi = try unsafe openMulti()
      let transfer = try Transfer(item, timeout: left, roots: roots)
      guard unsafe curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
        throw .unsendable("libcurl did not take the request")
      }
      running[unsafe Int(bitPattern: transfer.handle)] = transfer
    } catch {
      lines[item.host]?.ended()
      item.completion(.failure(error))
    }
  }

  private func actOnReadySockets() {
    for (socket, events) in poll?.ready() ?? [] { act(on: socket, events) }
    finish()
  }

  private func actOnTimer() {
    act(on: CURL_SOCKET_TIMEOUT, 0)
    finish()
  }

  /// What became ready may have been closed by the one before it: libcurl takes events for hints.
  private func act(on socket: curl_socket_t, _ events: Int32) {
    guard let multi = unsafe multi else { return }
    var stillRunning: Int32 = 0
    unsafe curl_multi_socket_action(multi, socket, events, &stillRunning)
  }

  /// Hands over what has ended, and lets the next ones go.
  private func finish() {
    var code = CURLE_OK
    while let multi = unsafe multi, let handle = unsafe ccurl_next_finished(multi, &code) {
      unsafe curl_multi_remove_handle(multi, handle)
      guard let transfer = running.removeValue(forKey: Int(bitPattern: handle)) else { continue }
      lines[transfer.host]?.ended()
      transfer.completion(transfer.result(code))
      startWaiting(at: transfer.host)
    }
  }

  private func openMulti() throws(HTTPError) -> UnsafeMutableRawPointer {
    if let multi = unsafe multi { return unsafe multi }
    guard let poll = openPoll() else {
      throw .unsendable("no descriptor is left to watch sockets by")
    }
    guard globalInit == CURLE_OK, let multi = unsafe curl_multi_init() else {
      throw .unsendable("libcurl could not be started")
    }
    unsafe self.multi = multi
    self.poll = poll
    // Unretained: `close` ends the multi handle, and with it all callbacks, before this object goes.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_multi_set_socket_callback(
      multi,
      { _, socket, what, context, _ in
        unsafe Transfers.from(context).assumeIsolated { $0.poll?.watch(socket, what) }
        return 0
      }, context)
    unsafe ccurl_multi_set_timer_callback(
      multi,
      { _, milliseconds, context in
        unsafe Transfers.from(context).assumeIsolated { $0.setTimer(milliseconds) }
        return 0
      }, context)
    unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, width * 2)
    unsafe ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, width)
    return unsafe multi
  }

  private func openPoll() -> SocketPoll? {
    SocketPoll(queue: queue) { [self] in assumeIsolated { $0.actOnReadySockets() } }
  }

  /// - Parameter milliseconds: -1 for "no timer". Never acted on at once: libcurl calls this from
  ///   the inside of its own functions, which must not be entered again.
  private func setTimer(_ milliseconds: Int) {
    guard milliseconds >= 0 else { return timer?.schedule(deadline: .distantFuture) ?? () }
    if timer == nil {
      let source = DispatchSource.makeTimerSource(queue: queue)
      source.setEventHandler { [self] in
        assumeIsolated { $0.actOnTimer() }
      }
      source.schedule(deadline: .distantFuture)
      source.activate()
      timer = source
    }
    timer?.schedule(deadline: .now() + .milliseconds(milliseconds))
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Transfers {
    guard let context = unsafe context else { preconditionFailure("libcurl lost its context") }
    return unsafe Unmanaged<Transfers>.fromOpaque(context).takeUnretainedValue()
  }
}

/// Once a process, before the first handle.
private let globalInit: CURLcode = ccurl_global_init()
