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
  private let probe: @Sendable (String) -> Void
  private let proven = Locked(false)
  private var connection: Connection?
  private var source: (any DispatchSourceRead)?
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
  ///   - probe: sends a notification with this payload through another connection.
  init(
    _ house: Household, info: Conninfo, wake: @escaping @Sendable () -> Void,
    probe: @escaping @Sendable (String) -> Void
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
      watch(made.socket)
      connection = consume made
      // What was enqueued before LISTEN was not heard.
      wake()
      sendProbe()
    } catch {
      reconnect()
    }
  }

  private func watch(_ socket: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: executor.queue)
    source.setEventHandler { [weak self] in
      self?.assumeIsolated { $0.hear() }
    }
    self.source = source
    source.activate()
  }

  private func hear() {
    guard connection != nil else { return }
    do throws(PostgresError) {
      let heard = try connection!.notifications()
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
    guard connection != nil, !house.isStopping else { return }
    probes += 1
    let number = probes
    probe(mark)
    post(after: Self.probeTimeout) { listener in
      guard listener.probes == number, listener.answered < number else { return }
      listener.reconnect()
    }
    post(after: Self.probeEvery) { listener in
      guard listener.probes == number else { return }
      listener.sendProbe()
    }
  }

  private func reconnect() {
    let wasConnected = connection != nil
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

  /// The source goes before the connection closes its socket.
  func close() {
    proven.withLock { $0 = false }
    source?.cancel()
    source = nil
    connection = nil
    probes += 1
  }
}
