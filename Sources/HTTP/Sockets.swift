import CCurl
import Dispatch
import Glibc

/// The watched sockets, and which of them are ours to close.
///
/// A connection's socket is opened and closed through this (`CURLOPT_CLOSESOCKETFUNCTION`), so
/// that it stays open until its sources have let it go. libcurl also has sockets of its own (it
/// wakes itself by one when a name has been looked up), which it closes at its own time: a
/// duplicate is watched instead.
struct Sockets {
  private let queue: DispatchQueue
  private var connections: Set<Int32> = []
  /// By libcurl's descriptor.
  private var watches: [Int32: SocketWatch] = [:]
  /// Sources that still hold a descriptor which waits to be closed.
  private var holders: [Int32: Int] = [:]

  init(queue: DispatchQueue) { self.queue = queue }

  /// - Parameter what: one of libcurl's `CURL_POLL_…`.
  mutating func watch(
    _ socket: Int32, _ what: Int32, onReady: @escaping @Sendable (Int32) -> Void,
    onSourceEnd: @escaping @Sendable (_ descriptor: Int32) -> Void
  ) {
    if let watch = watches[socket] {
      watch.watch(what)
      if what == CURL_POLL_REMOVE && !connections.contains(socket) { end(socket) }
    } else if what != CURL_POLL_REMOVE {
      let descriptor =
        connections.contains(socket) ? socket : fcntl(socket, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return }
      let watch = SocketWatch(
        descriptor: descriptor, queue: queue, onReady: onReady,
        onSourceEnd: { onSourceEnd(descriptor) })
      watch.watch(what)
      watches[socket] = watch
    }
  }

  mutating func opened(_ socket: Int32) { connections.insert(socket) }

  mutating func closed(_ socket: Int32) {
    connections.remove(socket)
    if watches[socket] != nil { end(socket) } else { Glibc.close(socket) }
  }

  mutating func sourceEnded(_ descriptor: Int32) {
    guard let count = holders[descriptor] else { return }
    holders[descriptor] = count > 1 ? count - 1 : nil
    if count == 1 { Glibc.close(descriptor) }
  }

  mutating func cancelAll() {
    for socket in watches.keys { end(socket) }
  }

  private mutating func end(_ socket: Int32) {
    guard let watch = watches.removeValue(forKey: socket) else { return }
    let sources = watch.cancel()
    if sources > 0 { holders[watch.descriptor] = sources } else { Glibc.close(watch.descriptor) }
  }
}

/// `CURLOPT_OPENSOCKETFUNCTION`: a socket that no child process inherits.
func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
  let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
  let socket = Glibc.socket(address.family, type, address.protocol)
  if socket >= 0 { unsafe Transfers.from(context).assumeIsolated { $0.opened(socket) } }
  return socket
}

/// `CURLOPT_CLOSESOCKETFUNCTION`.
func closeSocket(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
  unsafe Transfers.from(context).assumeIsolated { $0.closed(socket) }
  return 0
}
