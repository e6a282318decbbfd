internal import AppStore
internal import Dispatch
public import Store

/// Everything together: the owners, who wakes whom, and the way down.
///
///     inbox → intake → requests → lanes → sender → recorder
///                          ↑ maintenance, lease keeper, listener
public final class Daemon: Sendable {
  /// How a daemon ended.
  public enum End: Sendable, Equatable {
    /// SIGTERM, or drained.
    case finished
    /// `--drain`, and the database was away for half a minute.
    case databaseAway
  }

  private enum Ending {
    case running(CheckedContinuation<End, Never>?)
    /// Also before anybody waited for it: a signal may come first.
    case ended(End)
  }

  private let house: Household
  private let drain: Bool
  private let intake: Intake
  private let lanes: [Lane]
  private let sender: Sender
  private let recorder: Recorder
  private let keeper: LeaseKeeper
  private let maintenance: Maintenance
  private let listener: Listener?
  private let ending = Locked(Ending.running(nil))
  /// Polls, drains and shuts down; nothing on it blocks.
  private let queue = DispatchQueue(label: "consumptiond.daemon")

  private static let lanes = 2
  private static let provenPoll = Duration.seconds(5)
  private static let poll = Duration.milliseconds(500)
  private static let drainPoll = Duration.milliseconds(100)
  private static let databasePatience = Duration.seconds(30)
  /// For requests that are with Apple at SIGTERM; what is over then is recorded as unknown.
  private static let farewell = Duration.seconds(12)
  private static let cancelAgain = Duration.milliseconds(100)
  /// Whatever still waits for something then, the process ends.
  private static let patience = Duration.seconds(14)

  /// - Parameter drain: end by itself when nothing is left that can be worked on now.
  public init(_ settings: Settings, queries: Queries, log: Log, drain: Bool) {
    let house = Household(settings: settings, log: log)
    let wakes = Wakes()
    let recorder = Recorder(house) { records in wakes.recorded(records) }
    let sender = Sender(house, recorder: recorder)
    let lanes = (1...Self.lanes).map {
      Lane(
        house, queries: queries, sender: sender, number: $0,
        environments: Self.environments(settings, ofLane: $0))
    }
    let maintenance = Maintenance(house, queries: queries) { wakes.lanes() }
    let intake = Intake(house) { wakes.lanes() }
    let listener = settings.listen.map { info in
      Listener(house, info: info, wake: { intake.post { $0.wake() } }) { payload, sent in
        maintenance.post { $0.probe(payload, sent) }
      }
    }
    wakes.connect(lanes: lanes, maintenance: maintenance)
    self.house = house
    self.drain = drain
    self.recorder = recorder
    self.sender = sender
    self.lanes = lanes
    self.maintenance = maintenance
    self.intake = intake
    self.listener = listener
    keeper = LeaseKeeper(house)
  }

  /// The first lane works on production alone where that is served: a stuck Sandbox batch then stops
  /// nobody.
  private static func environments(
    _ settings: Settings, ofLane number: Int
  ) -> [AppStore.Environment] {
    let served = Set(settings.served.map(\.environment))
    let ordered = [AppStore.Environment.production, .sandbox].filter(served.contains)
    return number == 1 ? Array(ordered.prefix(1)) : ordered
  }

  /// How many connections to PostgreSQL a daemon holds at most.
  public var connections: Int { lanes.count + 4 + (listener == nil ? 0 : 1) }

  /// Works until ``stop()``, or until it has drained.
  public func run() async -> End {
    await withCheckedContinuation { continuation in
      let end: End? = ending.withLock { ending in
        if case .ended(let end) = ending { return end }
        ending = .running(continuation)
        return nil
      }
      if let end { return continuation.resume(returning: end) }
      keeper.post { $0.start() }
      listener?.post { $0.start() }
      look()
      if drain { watchDrain() }
    }
  }

  /// Everybody looks once; the next time is soon when nothing proves that LISTEN is heard.
  private func look() {
    guard !house.isStopping else { return }
    intake.post { $0.wake() }
    maintenance.post { $0.wake() }
    for lane in lanes { lane.post { $0.wake() } }
    let pause = listener?.isProven == true ? Self.provenPoll : Self.poll
    queue.asyncAfter(deadline: .now() + pause.interval) { self.look() }
  }

  private func watchDrain() {
    guard !house.isStopping else { return }
    maintenance.post { maintenance in
      maintenance.wake()
      let pending = maintenance.isPending()
      self.queue.async { self.judgeDrain(pending) }
    }
  }

  private func judgeDrain(_ pending: Bool?) {
    if pending == false { return stop() }
    if let away = house.health.awayFor, away > Self.databasePatience {
      house.log(.error, "database_unreachable", "the database was away for 30 s; giving up")
      return stop(.databaseAway)
    }
    queue.asyncAfter(deadline: .now() + Self.drainPoll.interval) { self.watchDrain() }
  }

  /// Nothing new is claimed or sent, queries are cancelled, unsent work is handed back, requests in
  /// flight get 12 s; then ``run()`` returns.
  public func stop() { stop(.finished) }

  private func stop(_ end: End) {
    let isFirst = house.stopping.withLock { stopping in
      defer { stopping = true }
      return !stopping
    }
    guard isFirst else { return }
    listener?.post { $0.close() }
    let stopped = ContinuousClock.now
    queue.asyncAfter(deadline: .now() + Self.patience.interval) { self.resume(end) }
    cancelQueries()
    Task {
      await self.finish(end, stopped)
    }
  }

  /// Again and again: a query may begin just after the first cancelling had found none. Less and less
  /// often: each is a connection, which may hang.
  private func cancelQueries(again delay: Duration = cancelAgain) {
    house.health.cancel(
      ["intake", "maintenance"] + (1...Self.lanes).map { "lane-\($0)" })
    queue.asyncAfter(deadline: .now() + delay.interval) {
      guard case .running = self.ending.withLock({ $0 }) else { return }
      self.cancelQueries(again: delay * 2)
    }
  }

  private func finish(_ end: End, _ stopped: ContinuousClock.Instant) async {
    async let read: Void = intake.close()
    async let kept: Void = maintenance.close()
    for lane in lanes { await lane.close() }
    let until = stopped + Self.farewell
    while await !sender.isIdle, ContinuousClock.now < until {
      try? await Task.sleep(for: .milliseconds(20))
    }
    await sender.close()
    while await !sender.isIdle {
      try? await Task.sleep(for: .milliseconds(20))
    }
    while await !recorder.isEmpty {
      await recorder.flush()
      try? await Task.sleep(for: .milliseconds(20))
    }
    await recorder.close()
    await keeper.close()
    _ = await (read, kept)
    resume(end)
  }

  private func resume(_ end: End) {
    let continuation: CheckedContinuation<End, Never>? = ending.withLock { ending in
      guard case .running(let continuation) = ending else { return nil }
      ending = .ended(end)
      return continuation
    }
    continuation?.resume(returning: end)
  }
}

/// Who is woken by whom. The owners are made from the wire upwards, so those at the bottom learn of
/// those above afterwards.
private final class Wakes: Sendable {
  private let connected = Locked<(lanes: [Lane], maintenance: Maintenance?)>(([], nil))

  func connect(lanes: [Lane], maintenance: Maintenance) {
    connected.withLock { $0 = (lanes, maintenance) }
  }

  func lanes() {
    for lane in connected.withLock({ $0.lanes }) { lane.post { $0.wake() } }
  }

  /// Permits are free again, and a wait may be over before the next poll.
  func recorded(_ records: [Attempts.Record]) {
    lanes()
    let maintenance = connected.withLock { $0.maintenance }
    for record in records {
      if case .waiting(_, let delay) = record.ending {
        maintenance?.post(after: delay + .milliseconds(5)) { $0.wake() }
      }
    }
  }
}
