import AppStore
import Dispatch

/// What was seen, who waits for it, and what goes wrong next: the state of the simulated App
/// Store, shared by the queues of its connections.
final class RequestLog: Sendable {
  typealias Condition = @Sendable ([SeenRequest]) -> Bool

  private struct State {
    var seen: [SeenRequest] = []
    var transactions: [String: IssuedTransaction] = [:]
    var script = FaultScript()
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
  }

  private struct Waiter {
    let condition: Condition
    let continuation: CheckedContinuation<Bool, Never>
  }

  private let state = Locked(State())

  var seen: [SeenRequest] { state.withLock { $0.seen } }
  var transactions: [String: IssuedTransaction] { state.withLock { $0.transactions } }

  func know(_ transactions: [IssuedTransaction]) {
    state.withLock { state in
      for transaction in transactions { state.transactions[transaction.id] = transaction }
    }
  }

  func add(_ fault: Fault, transaction: String?, times: Int) {
    state.withLock { $0.script.add(fault, transaction: transaction, times: times) }
  }

  func removeFaults() { state.withLock { $0.script.removeAll() } }

  /// - Returns: the request's number, and what is to go wrong with it.
  func begin(_ request: ServerRequest, connection: Int) -> (number: Int, fault: Fault?) {
    let path = ConsumptionPath(request.target)
    let id = path?.transactionId
    return update { state in
      let overlapped = id != nil && state.seen.contains { $0.isInFlight && $0.transactionId == id }
      state.seen.append(
        SeenRequest(
          number: state.seen.count + 1, method: request.method, path: request.target,
          headers: request.headers, body: String(decoding: request.body, as: UTF8.self),
          version: path?.version.rawValue, transactionId: id, connection: connection,
          arrivedAt: .now(), overlapped: overlapped))
      return (state.seen.count, state.script.next(for: id))
    }
  }

  /// Before the answer is written: the client may use its next connection as soon as it has it.
  func end(_ number: Int, verdict: Verdict?, status: Int?) -> SeenRequest {
    update { state in
      state.seen[number - 1].endedAt = .now()
      state.seen[number - 1].verdict = verdict
      state.seen[number - 1].status = status
      return state.seen[number - 1]
    }
  }

  /// - Returns: false when the time was over first.
  func wait(_ duration: Duration, for condition: @escaping Condition) async -> Bool {
    await withCheckedContinuation { continuation in
      let waiter: Int? = state.withLock { state in
        if condition(state.seen) { return nil }
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = Waiter(condition: condition, continuation: continuation)
        return state.nextWaiter
      }
      guard let waiter else { return continuation.resume(returning: true) }
      let parts = duration.components
      let nanoseconds = Int(parts.seconds) * 1_000_000_000 + Int(parts.attoseconds / 1_000_000_000)
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [state] in
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.continuation
          .resume(returning: false)
      }
    }
  }

  private func update<Result>(_ change: (inout State) -> Result) -> Result {
    var satisfied: [Waiter] = []
    let result = state.withLock { state in
      let result = change(&state)
      for (key, waiter) in state.waiters where waiter.condition(state.seen) {
        satisfied.append(waiter)
        state.waiters[key] = nil
      }
      return result
    }
    for waiter in satisfied { waiter.continuation.resume(returning: true) }
    return result
  }
}
