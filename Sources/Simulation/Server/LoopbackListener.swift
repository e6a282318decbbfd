import Dispatch
import Glibc

/// Accepts connections on 127.0.0.1 and serves each on a serial queue of its own, with blocking
/// reads and writes. Never on another address: what it says must not reach anybody else.
public final class LoopbackListener: Sendable {
  public let port: UInt16
  private let socket: Int32
  private let state: Locked<State>

  private struct State {
    var accepted = 0
    /// Open connections, so that `stop` can wake those who read from them.
    var open: Set<Int32> = []
    var isStopped = false
  }

  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - serve: owns the connection until it returns; the connection is closed then.
  public init(
    port: UInt16 = 0, tls: TLSServer? = nil,
    serve: @escaping @Sendable (ServerConnection) -> Void
  ) throws(SimulationError) {
    // Writing to a connection that the client has reset would end the process.
    signal(SIGPIPE, SIG_IGN)
    socket = try listen(on: port)
    self.port = localPort(of: socket)
    let state = Locked(State())
    self.state = state
    DispatchQueue(label: "simulation.accept").async { [socket] in
      var number = 0
      while true {
        let descriptor = accept(socket, nil, nil)
        if descriptor < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          break
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        number += 1
        Self.begin(descriptor, number, state, tls: tls, serve: serve)
      }
      close(socket)
    }
  }

  deinit { stop() }

  /// How many connections came in so far.
  public var accepted: Int { state.withLock { $0.accepted } }

  /// Closes all connections and accepts no more. Does not wait for those who serve.
  public func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(socket, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private static func begin(
    _ descriptor: Int32, _ number: Int, _ state: Locked<State>, tls: TLSServer?,
    serve: @escaping @Sendable (ServerConnection) -> Void
  ) {
    let isOpen = state.withLock { state in
      guard !state.isStopped else { return false }
      state.accepted += 1
      state.open.insert(descriptor)
      return true
    }
    guard isOpen else {
      close(descriptor)
      return
    }
    DispatchQueue(label: "simulation.connection").async {
      do throws(SimulationError) {
        let connection = try ServerConnection(descriptor, number: number, tls: tls)
        serve(connection)
        connection.end()
      } catch {
        // A client that does not trust us ends the handshake: nothing to serve.
      }
      state.withLock { _ = $0.open.remove(descriptor) }
      close(descriptor)
    }
  }
}

private func listen(on port: UInt16) throws(SimulationError) -> Int32 {
  let socket = Glibc.socket(
    AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  guard socket >= 0 else { throw SimulationError("no socket: \(errorText())") }
  var yes: Int32 = 1
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard bound == 0, Glibc.listen(socket, 128) == 0 else {
    let reason = errorText()
    close(socket)
    throw SimulationError("cannot listen on 127.0.0.1:\(port): \(reason)")
  }
  return socket
}

private func localPort(of socket: Int32) -> UInt16 {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      _ = getsockname(socket, $0, &size)
    }
  }
  return UInt16(bigEndian: address.sin_port)
}

/// The C library's words for the last error of this thread.
func errorText() -> String { String(cString: strerror(errno)) }
