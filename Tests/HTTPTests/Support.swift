import Dispatch
import FoundationEssentials
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

/// This process's descriptors of connections to `port`, on either side. Other tests run meanwhile,
/// so that all descriptors together say nothing.
func openSockets(to port: UInt16) throws -> Int {
  let digits = String(port, radix: 16, uppercase: true)
  let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
  var inodes: Set<String> = []
  for file in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
    {
      let fields = line.split(separator: " ")
      if fields[1].hasSuffix(suffix) || fields[2].hasSuffix(suffix) {
        inodes.insert("socket:[\(fields[9])]")
      }
    }
  }
  let folder = "/proc/self/fd"
  return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
    return target.map(inodes.contains) ?? false
  }
}
