import Foundation

/// A TCP socket that listens on 127.0.0.1. Whoever connects is accepted by the kernel and, as long as
/// nobody calls `accept`, never answered.
public final class ListeningSocket: Sendable {
  public let descriptor: Int32
  public let port: Int

  public init() throws {
    let descriptor = try tcpSocket()
    self.descriptor = descriptor
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var bound = sockaddr_in()
    let isListening = withLoopbackAddress(port: 0, &bound) { address in
      bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
        && getsockname(descriptor, address, &length) == 0
    }
    guard isListening else {
      close(descriptor)
      throw TestSupportError("cannot listen: errno \(errno)")
    }
    port = Int(UInt16(bigEndian: bound.sin_port))
  }

  deinit {
    close(descriptor)
  }
}

/// A socket that is connected to a port on 127.0.0.1.
func connectedSocket(to port: Int) throws -> Int32 {
  let descriptor = try tcpSocket()
  var target = sockaddr_in()
  let isConnected = withLoopbackAddress(port: UInt16(port), &target) { address in
    connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
  }
  guard isConnected else {
    close(descriptor)
    throw TestSupportError("cannot connect to port \(port): errno \(errno)")
  }
  return descriptor
}

private func tcpSocket() throws -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { throw TestSupportError("no socket: errno \(errno)") }
  return descriptor
}

private func withLoopbackAddress<Value>(
  port: UInt16, _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Value
) -> Value {
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  address.sin_port = port.bigEndian
  return withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
  }
}
