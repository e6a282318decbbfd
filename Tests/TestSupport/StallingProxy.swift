import Foundation

/// A TCP proxy on 127.0.0.1 that can stop forwarding, as a broken network does: everybody stays
/// connected and nobody hears anything.
public final class StallingProxy: Sendable {
  private let listener: ListeningSocket
  private let target: Int
  private let state = Locked(State())

  private struct State {
    var isStalled = false
    var isClosed = false
    var descriptors: [Int32] = []
  }

  public var port: Int { listener.port }

  /// - Parameter target: The port on 127.0.0.1 where connections go.
  public init(to target: Int) throws {
    listener = try ListeningSocket()
    self.target = target
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// Forwards nothing from now on. New connections are accepted and never answered.
  public func stall() {
    state.withLock { $0.isStalled = true }
  }

  /// Closes everything.
  public func close() {
    let descriptors = state.withLock { state in
      state.isClosed = true
      return state.descriptors
    }
    shutdown(listener.descriptor, Int32(SHUT_RDWR))
    for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private func acceptAll() {
    while true {
      let client = accept(listener.descriptor, nil, nil)
      guard client >= 0 else { return }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      guard keep(client), !state.withLock({ $0.isStalled }) else { continue }
      guard let server = try? connectedSocket(to: target), keep(server) else {
        shutdown(client, Int32(SHUT_RDWR))
        continue
      }
      Thread.detachNewThread { [self] in forward(from: client, to: server) }
      Thread.detachNewThread { [self] in forward(from: server, to: client) }
    }
  }

  /// Notes a descriptor for the end; false when that has come already.
  private func keep(_ descriptor: Int32) -> Bool {
    state.withLock { state in
      if state.isClosed {
        shutdown(descriptor, Int32(SHUT_RDWR))
        return false
      }
      state.descriptors.append(descriptor)
      return true
    }
  }

  private func forward(from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(source, &buffer, buffer.count)
      if state.withLock({ $0.isStalled }) { return }
      guard count > 0 else { break }
      var written = 0
      while written < count {
        let sent = buffer.withUnsafeBytes {
          send(
            target, $0.baseAddress.map { $0 + written }, count - written,
            Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { break }
        written += sent
      }
      if written < count { break }
    }
    shutdown(target, Int32(SHUT_WR))
  }

  deinit {
    for descriptor in state.withLock({ $0.descriptors }) { Glibc.close(descriptor) }
  }
}
