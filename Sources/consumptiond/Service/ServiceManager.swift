#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tells systemd how the daemon is: `sd_notify(3)`, a datagram to the socket that it names.
///
/// Without a service manager there is nobody to tell.
struct ServiceManager: Sendable {
  private let socket: String?

  /// - Parameter environment: the process's; `NOTIFY_SOCKET` is a path, or begins with `@` in
  ///   Linux's abstract namespace.
  init(environment: [String: String]) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// It answers requests from now on.
  func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

  /// The same, for people who ask `systemctl status`.
  func status(_ status: String) { tell("STATUS=\(status)") }

  func stopping() { tell("STOPPING=1") }

  /// A service manager that does not listen is not our trouble: nothing depends on the answer.
  private func tell(_ message: String) {
    guard let socket else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socket.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.count < capacity else { return }
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
    let descriptor = Glibc.socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(message.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
      }
    }
  }
}
