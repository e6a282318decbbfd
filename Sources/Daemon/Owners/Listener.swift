internal import Dispatch
internal import PostgreSQL

/// Hears that something was enqueued. It only wakes: the tables are the truth, and a poll looks at
/// them whether anything was heard or not.
///
/// A connection that listens can die without a sign. So it proves itself: a notification that is
/// sent through another connection must come back.
actor Listener: Owner {
  nonisolated let executor = QueueExecutor("listener")
  private let house: Household
  private let info: Conninfo
  private let wake: @Sendable () -> Void
  private let probe: @Sendable (String, _ sent: @escaping @Sendable () -> Void) -> Void
  private let proven = Locked(false)
  private var ear: Ear?
  private var probes = 0
  private var answered = 0
  private var wasDeaf = false

  private static let probeEvery = Duration.seconds(30)
  private static let probeTimeout = Duration.seconds(5)
  private static let reconnectAfter = Duration.seconds(1)
  /// Tells our probes from those of other daemons.
  private let mark = "probe \(UInt64.random(in: 0 ..< .max))"

  /// - Parameters:
  ///   - wake: called when somebody enqueued.
  ///   - probe: sends a notification with this payload through another connection, and tells when
  ///     it has: who sends may be busy, and that is no sign of deafness.
  init(
    _ house: Household, info: Conninfo, wake: @escaping @Sendable () -> Void,
    probe: @escaping @Sendable (String, _ sent: @escaping @Sendable () -> Void) -> Void
  ) {
    self.house = house
    self.info = info
    self.wake = wake
    self.probe = probe
  }

  /// True while the last probe came back: the poll may be slow.
  nonisolated var isProven: Bool { proven.withLock { $0 } }

  func start() {
    guard !house.isStopping else { return }
    do throws(PostgresError) {
      var made = try Connection(info, timeout: .seconds(5))
      _ = try made.query("LISTEN consumptiond", timeout: .seconds(5))
      let ear = Ear(made, queue: executor.queue) { [weak self] in
        self?.assumeIsolated { $0.hear() }
      }
      self.ear = ear
      ear.source.activate()
      // What was enqueued before LISTEN was not heard.
      wake()
      sendProbe()
    } catch {
      reconnect()
    }
  }

  private func hear() {
    guard let ear else { return }
    do throws(PostgresError) {
      let heard = try ear.notifications()
      if heard.contains(where: { $0.payload == mark }) {
        answered = probes
        proven.withLock { $0 = true }
        wasDeaf = false
      }
      if heard.contains(where: { $0.payload.isEmpty }) { wake() }
    } catch {
      reconnect()
    }
  }

  private func sendProbe() {
    guard ear != nil, !house.isStopping else { return }
    probes += 1
    let number = probes
    probe(mark) {
      self.post(after: Self.probeTimeout) { listener in
        guard listener.probes == number, listener.answered < number else { return }
        listener.reconnect()
      }
    }
    post(after: Self.probeEvery) { listener in
      guard listener.probes == number else { return }
      listener.sendProbe()
    }
  }

  private func reconnect() {
    let wasConnected = ear != nil
    close()
    guard !house.isStopping else { return }
    if wasConnected, !wasDeaf, house.health.awayFor == nil {
      wasDeaf = true
      house.log(
        .warning, "listener_deaf",
        "nothing is heard through LISTEN (a pooler between?); the tables are polled twice a second "
          + "instead; give `listen` a direct connection, or set it to \"off\"")
    }
    post(after: Self.reconnectAfter) { $0.start() }
  }

  func close() {
    proven.withLock { $0 = false }
    ear?.source.cancel()
    ear = nil
    probes += 1
  }
}

/// A connection that listens, and what tells that something came.
///
/// `@unchecked Sendable`: the connection is touched on the listener's queue alone.
private final class Ear: @unchecked Sendable {
  let source: any DispatchSourceRead
  private var connection: Connection?

  init(
    _ connection: consuming Connection, queue: DispatchQueue, hear: @escaping @Sendable () -> Void
  ) {
    source = DispatchSource.makeReadSource(fileDescriptor: connection.socket, queue: queue)
    self.connection = consume connection
    source.setEventHandler(handler: hear)
    // Closed before, its descriptor would be watched when it is another file's already. The source
    // keeps this object until then.
    source.setCancelHandler { self.connection = nil }
  }

  func notifications() throws(PostgresError) -> [PostgreSQL.Notification] {
    guard connection != nil else { return [] }
    return try connection!.notifications()
  }
}
