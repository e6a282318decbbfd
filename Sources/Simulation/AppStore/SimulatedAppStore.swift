import AppStore

/// A strict stand-in for the App Store Server API on loopback: it takes Send Consumption
/// Information V2 and V1, refuses what Apple would refuse, fails as it is told, and remembers
/// everything. One instance may stand for both environments.
public final class SimulatedAppStore: Sendable {
  /// "http://127.0.0.1:PORT", or https.
  public let url: String
  private let listener: LoopbackListener
  private let log: RequestLog

  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - tls: nil speaks plain HTTP.
  ///   - findTransactions: asked before each judgement for what others have signed in the meantime.
  ///   - onEnd: told of each request as it ends, on the queue of its connection.
  public init(
    _ settings: AppStoreSettings, port: UInt16 = 0, tls: TLSServer? = nil,
    findTransactions: (@Sendable () -> [IssuedTransaction])? = nil,
    onEnd: @escaping @Sendable (SeenRequest) -> Void = { _ in }
  ) throws(SimulationError) {
    let log = RequestLog()
    let judge = AppStoreJudge(settings)
    self.log = log
    listener = try LoopbackListener(port: port, tls: tls) { connection in
      while let request = connection.readRequest() {
        if let found = findTransactions?() { log.know(found) }
        let exchange = Exchange(
          request: request, connection: connection, log: log, judge: judge, onEnd: onEnd)
        guard exchange.run() else { return }
      }
    }
    url = "\(tls == nil ? "http" : "https")://127.0.0.1:\(listener.port)"
  }

  public var port: UInt16 { listener.port }

  /// Connections that came in so far.
  public var connections: Int { listener.accepted }

  /// Makes transactions known. As long as none is, every id is accepted as one.
  public func know(_ transactions: IssuedTransaction...) { log.know(transactions) }

  /// The transactions that are known, by id.
  public var transactions: [String: IssuedTransaction] { log.transactions }

  /// Lets the next `times` requests go wrong, those for `transaction` or all. Faults are used up in
  /// the order in which they were asked for.
  public func fail(_ fault: Fault, transaction: String? = nil, times: Int = .max) {
    log.add(fault, transaction: transaction, times: times)
  }

  public func recover() { log.removeFaults() }

  /// Everything seen so far, in the order of arrival.
  public var requests: [SeenRequest] { log.seen }

  public func requests(for transaction: String) -> [SeenRequest] {
    log.seen.filter { $0.transactionId == transaction }
  }

  /// What Apple took in, in the order of arrival; each is a 202, delivered or lost.
  public var accepted: [SeenRequest] { log.seen.filter(\.isAccepted) }

  /// The transactions for which two requests were ever in flight at once. Must stay empty.
  public var overlaps: [String] {
    Set(log.seen.filter(\.overlapped).compactMap(\.transactionId)).sorted()
  }

  /// Waits until what was seen fulfils `condition`; looked at when a request arrives and when one
  /// ends.
  /// - Returns: false when the time was over first.
  public func wait(
    _ duration: Duration = .seconds(10),
    until condition: @escaping @Sendable ([SeenRequest]) -> Bool
  ) async -> Bool {
    await log.wait(duration, for: condition)
  }

  /// Closes all connections.
  public func stop() { listener.stop() }
}

/// One request and what becomes of it.
private struct Exchange {
  let request: ServerRequest
  let connection: ServerConnection
  let log: RequestLog
  let judge: AppStoreJudge
  let onEnd: @Sendable (SeenRequest) -> Void

  /// - Returns: whether the connection may be used again.
  func run() -> Bool {
    let (number, fault) = log.begin(request, connection: connection.number)
    if let fault, fault.delay > .zero, !connection.wait(fault.delay) {
      end(number, nil, nil)
      return false
    }
    switch fault?.way {
    case nil, .some(.none):
      return reply(number, verdict(), keepOpen: true)
    case .closeAfterAnswer:
      return reply(number, verdict(), keepOpen: false)
    case .loseAnswer:
      end(number, verdict(), nil)
      return false
    case .answer(let answer):
      return give(number, answer)
    case .rateLimited(let duration):
      let until = Instant.now() + duration
      let limited = Verdict(429, code: AppleError.rateLimitExceeded.rawValue, "scripted")
      var answer = limited.answer(now: .now(), requestId: "")
      answer.headers.append(("Retry-After", String(until.milliseconds)))
      return give(number, answer)
    case .hangUp:
      end(number, nil, nil)
      return false
    case .reset:
      connection.reset()
      end(number, nil, nil)
      return false
    case .breakOff:
      connection.write("HTTP/1.1 202 Acc")
      end(number, nil, nil)
      return false
    case .silence:
      connection.wait(nil)
      end(number, nil, nil)
      return false
    }
  }

  private func verdict() -> Verdict {
    judge.judge(request, transactions: log.transactions, now: .now())
  }

  private func give(_ number: Int, _ answer: ServerAnswer) -> Bool {
    end(number, nil, answer.status)
    return connection.write(answer)
  }

  private func reply(_ number: Int, _ verdict: Verdict, keepOpen: Bool) -> Bool {
    end(number, verdict, verdict.status)
    let answer = verdict.answer(now: .now(), requestId: "SIMULATED.\(number)")
    return connection.write(answer) && keepOpen
  }

  private func end(_ number: Int, _ verdict: Verdict?, _ status: Int?) {
    onEnd(log.end(number, verdict: verdict, status: status))
  }
}
