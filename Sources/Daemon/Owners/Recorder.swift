internal import PostgreSQL
internal import Store

/// Writes what came of attempts, in batches. What cannot be written is kept and tried again: the
/// result is repeated, never the request to Apple.
actor Recorder: Owner {
  nonisolated let executor = QueueExecutor("recorder")
  private let house: Household
  private let recorded: @Sendable ([Attempts.Record]) -> Void
  private var session: DatabaseSession
  private var waiting: [Attempts.Record] = []
  private var isScheduled = false
  private var failures = 0

  private static let batch = 16

  /// - Parameter recorded: called when results stand in the database and permits are free again.
  init(_ house: Household, recorded: @escaping @Sendable ([Attempts.Record]) -> Void) {
    self.house = house
    self.recorded = recorded
    session = DatabaseSession(house.settings.database, health: house.health, name: "recorder")
  }

  /// A batch is written when it is full, or two milliseconds after its first result.
  func add(_ record: Attempts.Record) {
    waiting.append(record)
    house.unrecorded.withLock { $0 += 1 }
    if waiting.count >= Self.batch { flush() } else { schedule(after: .milliseconds(2)) }
  }

  var isEmpty: Bool { waiting.isEmpty }

  private func schedule(after delay: Duration) {
    guard !isScheduled else { return }
    isScheduled = true
    post(after: delay) { recorder in
      recorder.isScheduled = false
      recorder.flush()
    }
  }

  func flush() {
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(Self.batch))
      do throws(PostgresError) {
        try write(batch)
        failures = 0
      } catch {
        house.report(error, "recorder")
        failures += 1
        return schedule(after: .milliseconds(100 << min(failures, 5)))
      }
      waiting.removeFirst(batch.count)
      house.unrecorded.withLock { $0 -= batch.count }
      house.leases.remove(batch.map(\.token))
      for record in batch { house.permits(record.environment).give(1) }
      recorded(batch)
    }
  }

  private func write(_ batch: [Attempts.Record]) throws(PostgresError) {
    let results = try session.use { connection throws(PostgresError) in
      try connection.writeTogetherOrAlone(
        [Attempts.locking(batch)] + batch.map(Attempts.recording))
    }
    for (record, result) in zip(batch, results.dropFirst()) {
      switch result {
      case .success(let rows): announce(record, changed: rows.count > 0)
      case .failure(let error) where error.isDataFault:
        // The lease runs out and the request is taken up again; it must not stop the others.
        house.log(
          .error, "result_refused", "attempt \(record.attempt): \(error.summary)")
      case .failure(let error): throw error
      }
    }
  }

  private func announce(_ record: Attempts.Record, changed: Bool) {
    if record.ending == .inFlight {
      return house.log(
        .warning, "outcome_unknown", "the daemon stops before Apple has answered",
        request: record.request, transaction: record.transaction)
    }
    guard changed else {
      house.log(
        .warning, "lease_lost",
        "the result (\(record.result ?? "not sent")) came after the lease; the attempt is recorded, the state is not changed",
        request: record.request, transaction: record.transaction)
      return
    }
    switch record.ending {
    case .answered:
      house.log(
        .info, "answered", "Apple accepted the answer", request: record.request,
        transaction: record.transaction)
    case .failed(let reason), .missed(let reason), .withheld(let reason):
      house.log(
        .error, record.ending.state,
        [reason, record.lastError].compactMap(\.self)
          .joined(separator: ": "), request: record.request, transaction: record.transaction)
    case .waiting(let reason, _), .held(let reason, _):
      house.log(
        .warning, record.ending.state,
        [reason, record.lastError].compactMap(\.self)
          .joined(separator: ": "), request: record.request, transaction: record.transaction)
    // A worker's, before anything is sent.
    case .observed, .settled, .inFlight: break
    }
  }

  func close() { session.close() }
}
