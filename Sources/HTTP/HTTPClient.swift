import Dispatch

/// An HTTP/1.1 client on libcurl's multi interface. One serial queue owns it; nothing blocks.
///
/// HTTP/1.1 with several connections rather than HTTP/2: the cost is the same, and a dying
/// connection leaves the outcome of one request unknown instead of sixteen.
///
/// The process must ignore SIGPIPE: with libcurl off the signals (it has to be, off the main
/// thread), closing a dead TLS connection writes to it.
public final class HTTPClient: Sendable {
  private let transfers: Transfers

  /// - Parameters:
  ///   - maximumConnectionsPerHost: what is sent beyond that waits its turn in here.
  ///   - rootsFile: PEM certificates to trust instead of the system's. Read again when it is
  ///     older than a minute, so that a replaced file works without a restart.
  public convenience init(maximumConnectionsPerHost: Int, rootsFile: String? = nil) {
    self.init(
      maximumConnectionsPerHost: maximumConnectionsPerHost, rootsFile: rootsFile,
      rootsKept: .seconds(60))
  }

  init(maximumConnectionsPerHost: Int, rootsFile: String?, rootsKept: Duration) {
    transfers = Transfers(
      width: max(1, maximumConnectionsPerHost), roots: Roots(file: rootsFile, kept: rootsKept))
  }

  deinit { close() }

  /// Sends `request` once: at most one request goes over the wire, whatever happens to the
  /// connection. libcurl's own resending is cut off and reported as `.connectionLost`.
  ///
  /// - Parameter completion: called exactly once, on the client's queue, also after `close()`.
  ///   It must not block.
  public func send(
    _ request: HTTPRequest,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) {
    let arrived = ContinuousClock.now
    transfers.queue.async { [transfers] in
      transfers.assumeIsolated {
        $0.enqueue(Waiting(request: request, arrived: arrived, completion: completion))
      }
    }
  }

  /// Ends what runs and what waits with `.cancelled`, and closes all connections. Returns at once;
  /// the completions follow on the client's queue. Later sends are cancelled too.
  public func close() {
    transfers.queue.async { [transfers] in transfers.assumeIsolated { $0.close() } }
  }
}
