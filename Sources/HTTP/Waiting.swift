/// A request that was handed over and has not been given a connection yet.
struct Waiting: Sendable {
  let request: HTTPRequest
  let arrived: ContinuousClock.Instant
  let completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void

  /// Scheme and authority, for the limit of connections: "https://api.storekit.apple.com".
  var host: String {
    let url = request.url
    guard let scheme = url.firstRange(of: "://") else { return url }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return url[..<end].lowercased()
  }
}

/// Whose turn it is at one host. The width is kept here and not by libcurl, whose own line stops
/// the clock of the request's timeout.
struct HostLine {
  private var waiting: [Waiting] = []
  private var first = 0
  private(set) var running = 0

  var isIdle: Bool { running == 0 && first == waiting.count }

  mutating func add(_ item: Waiting) { waiting.append(item) }

  /// The next that may go, if fewer than `width` are on their way; it then counts as running.
  mutating func next(width: Int) -> Waiting? {
    guard running < width, first < waiting.count else { return nil }
    let item = waiting[first]
    first += 1
    if first == waiting.count || first > 1024 {
      waiting.removeFirst(first)
      first = 0
    }
    running += 1
    return item
  }

  mutating func ended() { running -= 1 }

  mutating func removeWaiting() -> [Waiting] {
    defer {
      waiting = []
      first = 0
    }
    return Array(waiting[first...])
  }
}

extension Waiting {
  /// The client was closed before this one had its turn.
  func cancel() {
    completion(
      .failure(
        HTTPError(kind: .cancelled, message: "the client was closed", mayHaveBeenSent: false)))
  }
}
