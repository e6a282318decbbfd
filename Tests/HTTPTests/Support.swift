import Dispatch
import HTTP
import Simulation
import Synchronization

extension HTTPClient {
  /// Sends and waits for the completion; a second call of it ends the test process.
  func send(_ request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
    await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: $0) }
    }
  }
}

extension HTTPRequest {
  static func put(
    to port: UInt16, scheme: String = "http", host: String = "127.0.0.1", body: String = "{}",
    timeout: Duration = .seconds(10), freshConnection: Bool = false
  ) -> HTTPRequest {
    HTTPRequest(
      method: "PUT", url: "\(scheme)://\(host):\(port)/inApps/v2/transactions/consumption/1",
      headers: [("Content-Type", "application/json")], body: Array(body.utf8), timeout: timeout,
      freshConnection: freshConnection)
  }
}

extension Result where Success == HTTPResponse, Failure == HTTPError {
  var response: HTTPResponse? { try? get() }

  var error: HTTPError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func increase() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// Serves HTTP and answers each request by `answer`; nil hangs up.
func serving(
  tls: TLSServer? = nil, _ answer: @escaping @Sendable (ServerRequest) -> ServerAnswer?
) throws -> LoopbackListener {
  try LoopbackListener(tls: tls) { connection in
    while let request = connection.readRequest(), let answer = answer(request) {
      guard connection.write(answer) else { return }
    }
  }
}
