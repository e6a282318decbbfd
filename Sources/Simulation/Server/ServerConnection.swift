import COpenSSL
import Glibc

/// POLLRDHUP, which Swift does not import.
private let peerHasClosed: Int16 = 0x2000

/// The server's side of one connection, in the clear or over TLS. Confined to the queue that
/// serves it; its descriptor is the listener's to close.
public final class ServerConnection {
  /// Counts from 1 for each listener.
  public let number: Int
  private let descriptor: Int32
  private let tls: OpaquePointer?
  private var saysGoodbye = true
  /// Read and not used yet: the beginning of the next request.
  var pending: [UInt8] = []

  init(_ descriptor: Int32, number: Int, tls server: TLSServer?) throws(SimulationError) {
    self.descriptor = descriptor
    self.number = number
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    tls = try server?.accept(descriptor)
  }

  deinit { SSL_free(tls) }

  /// Waits for bytes; nil when the client has closed the connection or it has died.
  public func read() -> [UInt8]? {
    if !pending.isEmpty {
      defer { pending = [] }
      return pending
    }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = buffer.withUnsafeMutableBytes { bytes in
      guard let tls else { return Int(recv(descriptor, bytes.baseAddress, bytes.count, 0)) }
      ERR_clear_error()
      return Int(SSL_read(tls, bytes.baseAddress, Int32(bytes.count)))
    }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// - Returns: whether all of it went out.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        guard let tls else {
          return Int(send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        }
        ERR_clear_error()
        return Int(SSL_write(tls, bytes.baseAddress, Int32(bytes.count)))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  public func write(_ text: String) -> Bool { write(text.utf8) }

  /// Waits until the client hangs up, the listener stops, or `duration` is over (nil: for ever).
  /// - Returns: whether the client is still there.
  @discardableResult
  public func wait(_ duration: Duration?) -> Bool {
    var watched = pollfd(fd: descriptor, events: peerHasClosed, revents: 0)
    let milliseconds = duration.map { duration in
      let parts = duration.components
      return Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
    }
    return poll(&watched, 1, milliseconds ?? -1) == 0
  }

  /// Makes the end of the connection a reset instead of an orderly close.
  public func reset() {
    saysGoodbye = false
    var off = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
  }

  /// Closes the connection while `serve` still runs; after `reset`, by a reset.
  public func hangUp() {
    end()
    saysGoodbye = false
    // Closing would give the number free while the listener still knows it: the descriptor now
    // stands for something that is closed as well.
    let nothing = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    dup2(nothing, descriptor)
    close(nothing)
  }

  /// Says goodbye as TLS wants it; a client must not take a cut for the end of an answer.
  func end() {
    guard saysGoodbye, let tls else { return }
    ERR_clear_error()
    SSL_shutdown(tls)
  }
}
