internal import CPostgreSQL
internal import Dispatch

/// One attempt to connect, made on a queue of its own so that it can be abandoned.
///
/// libpq's non-blocking calls resolve names blockingly and ignore `connect_timeout`, so that a
/// silent first host would eat the time of all others. Its blocking call moves on from host to host
/// in time, but has no limit over all of them. Hence the blocking call, on a thread that may outlive
/// our patience: the attempt then closes what it opened by itself.
final class Connecting: Sendable {
  @safe private enum State {
    case running
    case finished(Handle<OpaquePointer>)
    case abandoned
  }

  private let state = Locked(State.running)
  private let done = DispatchSemaphore(value: 0)

  /// Connects and waits until the deadline.
  ///
  /// - Returns: The connection, good or bad; nil when the time was over.
  static func connect(_ info: Conninfo, deadline: Deadline) -> Handle<OpaquePointer>? {
    let attempt = Connecting()
    let info = info.boundedBy(deadline)
    DispatchQueue(label: "PostgreSQL.connect").async { attempt.run(info) }
    _ = attempt.done.wait(timeout: deadline.dispatchTime)
    return unsafe attempt.take()
  }

  private func run(_ info: Conninfo) {
    let handle = unsafe info.withCStrings { keywords, values in
      unsafe PQconnectdbParams(keywords, values, 0)
    }
    guard let handle = unsafe handle else {
      done.signal()
      return
    }
    let isWanted = state.withLock { state in
      if case .abandoned = state { return false }
      state = unsafe .finished(Handle(handle))
      return true
    }
    if isWanted {
      done.signal()
    } else {
      unsafe PQfinish(handle)
    }
  }

  private func take() -> Handle<OpaquePointer>? {
    unsafe state.withLock { state in
      if case .finished(let handle) = state { return unsafe handle }
      state = .abandoned
      return nil
    }
  }
}

extension Conninfo {
  /// With a `connect_timeout` that does not let an abandoned attempt live long, and with what this
  /// module relies on: UTF-8, and a name that administrators recognise.
  fileprivate func boundedBy(_ deadline: Deadline) -> Conninfo {
    var result = self
    let limit = max(2, Int(deadline.remaining.components.seconds) + 1)
    // What is no number is left for libpq to refuse; 0 would mean no limit.
    if let asked = Int(result["connect_timeout"] ?? "0"), !(1...limit).contains(asked) {
      result["connect_timeout"] = String(limit)
    }
    result["client_encoding"] = "UTF8"
    if result["fallback_application_name"] == nil {
      result["fallback_application_name"] = "consumptiond"
    }
    return result
  }

  /// Calls `body` with the keywords and values as two arrays that end in NULL.
  fileprivate func withCStrings<Result>(
    _ body: (
      UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>
    ) -> Result?
  ) -> Result? {
    let ordered = settings.sorted { $0.key < $1.key }
    let keywords = CStrings(ordered.map(\.key), terminated: true)
    let values = CStrings(ordered.map(\.value), terminated: true)
    return unsafe keywords.withPointers { keywords in
      unsafe values.withPointers { values in
        guard let keywords = keywords.baseAddress, let values = values.baseAddress
        else { return nil }
        return unsafe body(keywords, values)
      }
    }
  }
}
