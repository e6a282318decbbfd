internal import AppStore
internal import PostgreSQL
internal import Store

/// Verifies what the inbox holds, and writes requests, the ledger and rejections.
actor Intake: Owner {
  nonisolated let executor = QueueExecutor("intake")
  private let house: Household
  private let opened: @Sendable () -> Void
  private var session: DatabaseSession
  private var verifier: NotificationVerifier
  /// Verified while the database went away: written when it is back, not verified again.
  private var unwritten: [Verdict] = []
  private var isAwake = false
  private var hadWork = false

  private static let batch = 64
  private static let looksAfterWork = [Duration.milliseconds(100), .seconds(1)]
  /// How long a reader may take for a batch before others take it for dead.
  private static let claim = Duration.seconds(30)

  /// - Parameter opened: called when there are new requests.
  init(_ house: Household, opened: @escaping @Sendable () -> Void) {
    self.house = house
    self.opened = opened
    session = DatabaseSession(house.settings.database, health: house.health, name: "intake")
    verifier = NotificationVerifier(
      anchors: house.settings.anchors, apps: house.settings.apps.map(\.identity))
  }

  /// Reads until nothing is left. Any number of calls while it is busy are one.
  func wake() {
    guard !isAwake else { return }
    isAwake = true
    post { intake in
      intake.isAwake = false
      intake.run()
    }
  }

  /// An error leaves the rest to the next call.
  private func run() {
    do throws(PostgresError) {
      while !house.isStopping {
        try writeOut()
        let rows = try session.use { connection throws(PostgresError) in
          try Inbox.claim(atMost: Self.batch, for: Self.claim, on: &connection)
        }
        if rows.isEmpty { return lookAgain() }
        hadWork = true
        unwritten = rows.map { ($0, verify($0)) }
        try writeOut()
      }
    } catch {
      house.report(error, "intake")
    }
  }

  /// Whoever enqueued while a row lay unclaimed did not call, and may commit only now: soon after
  /// some work it is looked for once more, instead of at the next poll.
  private func lookAgain() {
    guard hadWork else { return }
    hadWork = false
    for pause in Self.looksAfterWork { post(after: pause) { $0.wake() } }
  }

  private func verify(_ row: Inbox.Row) -> Result<VerifiedNotification, SignedPayloadError> {
    do throws(SignedPayloadError) {
      return .success(try verifier.verify(row.payload, now: row.now))
    } catch {
      return .failure(error)
    }
  }

  private typealias Verdict = (
    row: Inbox.Row, result: Result<VerifiedNotification, SignedPayloadError>
  )

  /// One transaction for all; when a value in it is refused, one for each. Writing twice what an
  /// unknown outcome left in doubt changes nothing.
  private func writeOut() throws(PostgresError) {
    let verdicts = unwritten
    guard !verdicts.isEmpty else { return }
    let statements = verdicts.map { verdict in
      switch verdict.result {
      case .success(let verified): Inbox.acceptance(verdict.row.id, verified)
      case .failure(let error): Inbox.rejection(verdict.row.id, error)
      }
    }
    let results = try session.use { connection throws(PostgresError) in
      try connection.writeTogetherOrAlone(statements)
    }
    var opened = false
    for (verdict, result) in zip(verdicts, results) {
      switch result {
      case .success: opened = report(verdict) || opened
      case .failure(let error) where error.isDataFault: try park(verdict.row, error)
      case .failure(let error): throw error
      }
    }
    unwritten = []
    if opened { self.opened() }
  }

  /// Returns whether the row may have opened a request.
  private func report(_ verdict: Verdict) -> Bool {
    switch verdict.result {
    case .failure(let error):
      house.log(
        .warning, "payload_rejected", "\(error.reason.rawValue): \(error.detail)",
        request: verdict.row.id)
      return false
    case .success(let verified):
      if verified.notification.isRescindConsent { warnOfRescission(verified) }
      return verified.notification.isConsumptionRequest
    }
  }

  private func warnOfRescission(_ verified: VerifiedNotification) {
    let proof =
      switch verified.appTransaction {
      case .failure(let error)?: "; its app transaction does not hold (\(error.detail))"
      case .success?, nil: ""
      }
    house.log(
      .warning, "consent_rescinded",
      "a guardian withdrew consent for \(verified.notification.bundleId): update the consent that "
        + "your query reads, this version does not do it for you\(proof)")
  }

  /// A value that PostgreSQL refuses costs its own row alone.
  private func park(_ row: Inbox.Row, _ error: PostgresError) throws(PostgresError) {
    let rejection = SignedPayloadError(
      reason: .malformed, detail: "notification: \(error.summary)")
    _ = try session.use { connection throws(PostgresError) in
      try connection.pipeline([[Inbox.rejection(row.id, rejection)]])[0].get()
    }
    house.log(.error, "payload_rejected", "\(rejection.detail)", request: row.id)
  }

  /// Writes what was verified when the shutdown came.
  func close() {
    session.ignoreCancelling()
    for _ in 0..<2 where !unwritten.isEmpty { try? writeOut() }
    session.close()
  }
}
