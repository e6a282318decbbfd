import CCurl
import Dispatch
import Glibc

/// Tells which of libcurl's sockets are ready: an epoll of our own, itself watched by one source
/// on the client's queue.
///
/// Not a source for each socket, for what Dispatch does when a reset meets a suspended one: the
/// event goes to that source and the descriptor leaves Dispatch's epoll, so that a source which is
/// made a moment later never fires, and the request hangs until its timeout. Here a change is
/// done when the call returns, and a closed descriptor is forgotten by the kernel before its
/// number can be given out again. Confined to the client's queue.
final class SocketPoll {
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  /// The sockets that libcurl has asked for.
  private var watched: Set<Int32> = []

  /// - Parameter onReady: called on `queue` while a socket is ready.
  init?(queue: DispatchQueue, onReady: @escaping @Sendable () -> Void) {
    let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: onReady)
    source.setCancelHandler { Glibc.close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// - Parameter what: one of libcurl's `CURL_POLL_…`.
  func watch(_ socket: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      if watched.remove(socket) != nil { epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) }
      return
    }
    var event = unsafe epoll_event()
    if what != CURL_POLL_OUT { unsafe event.events |= EPOLLIN.rawValue }
    if what != CURL_POLL_IN { unsafe event.events |= EPOLLOUT.rawValue }
    unsafe event.data.fd = socket
    let isNew = watched.insert(socket).inserted
    unsafe epoll_ctl(descriptor, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event)
  }

  /// The sockets that are ready now, with libcurl's `CURL_CSELECT_…` of each.
  func ready() -> [(socket: Int32, events: Int32)] {
    unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { buffer in
      let count = unsafe epoll_wait(descriptor, buffer.baseAddress, Int32(buffer.count), 0)
      return unsafe buffer.prefix(Int(max(0, count))).map { event in
        let bits = unsafe event.events
        var events: Int32 = 0
        if bits & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { events |= CURL_CSELECT_IN }
        if bits & EPOLLOUT.rawValue != 0 { events |= CURL_CSELECT_OUT }
        if bits & EPOLLERR.rawValue != 0 { events |= CURL_CSELECT_ERR }
        return unsafe (event.data.fd, events)
      }
    }
  }
}

/// `CURLOPT_OPENSOCKETFUNCTION`: a socket that no child process inherits.
func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
  let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
  return Glibc.socket(address.family, type, address.protocol)
}
