import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SIGTERM and SIGINT: the first ends the work in order, a second ends the process at once.
///
/// `@unchecked Sendable`: what varies is touched on the queue alone.
final class Signals: @unchecked Sendable {
  private let queue = DispatchQueue(label: "consumptiond.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var received = 0
  private var terminate: (@Sendable () -> Void)?

  private static let numbers = [SIGTERM, SIGINT]

  /// Keeps signals that come before anybody listens, for this thread and all that it begets. They
  /// are not ignored as well: the kernel throws away what waits when a signal becomes ignored.
  static func hold() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  init() {
    for number in Self.numbers {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.receive() }
      source.activate()
      sources.append(source)
    }
  }

  var isTerminating: Bool { queue.sync { received > 0 } }

  /// Called on the first signal, also on one that came before.
  func onTermination(_ body: @escaping @Sendable () -> Void) {
    queue.sync {
      terminate = body
      if received > 0 { body() }
    }
  }

  private func receive() {
    received += 1
    // Not exit(): OpenSSL's cleaning up would pull the rug from under the threads that use it.
    if received > 1 { _exit(ExitCode.tryLater.rawValue) }
    terminate?()
  }
}
