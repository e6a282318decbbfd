internal import CPostgreSQL

/// One pass of a pipeline: what was sent, what came back, and how much time is left.
struct PipelineRun {
  /// Groups on their way at one time. What was sent can only be cancelled one by one; what was not,
  /// has certainly not run.
  private static let window = 16

  private let groups: [PipelineGroup]
  private let access: TransactionAccess
  private let timeout: Duration
  private var budget: Budget
  private var sent = 0
  /// How the groups ended that are over, in order.
  private(set) var outcomes: [Result<Rows, PostgresError>] = []
  private var current: GroupResult
  /// Nothing more can be sent.
  private var hasBrokenOff = false
  /// The group that was running when the time was over.
  private var overdue: Int?

  /// Whether the time ended it and not its last group.
  var wasCutOff: Bool { budget.isOver || sent < groups.count }

  init(_ groups: [PipelineGroup], access: TransactionAccess, timeout: Duration) {
    self.groups = groups
    self.access = access
    self.timeout = timeout
    budget = Budget(timeout)
    current = GroupResult(access: access)
  }

  /// Sends and receives until every group has an outcome.
  mutating func perform(on connection: inout Connection) {
    connection.resetWarnings()
    while true {
      sendMore(on: &connection)
      if outcomes.count == sent { break }
      switch connection.waitForResult(until: budget.nextDeadline) {
      case .result:
        if let result = unsafe PQgetResult(connection.pointer) {
          unsafe take(result, on: &connection)
        }
      case .deadlinePassed:
        if overdue == nil { overdue = outcomes.count }
        if !budget.extend(with: connection.canceller) {
          connection.giveUp()
          finishSent(with: .abandoned(after: timeout))
        }
      case .connectionLost:
        takeRest(of: &connection)
        finishSent(with: connection.lost())
      }
    }
    if !budget.isSettled() { connection.giveUp() }
    while outcomes.count < groups.count { outcomes.append(.failure(.notRun)) }
    if outcomes.contains(where: \.endsConnection) { connection.giveUp() }
  }

  /// Fills the window. A group that cannot be sent ends at its turn, nothing of it runs.
  private mutating func sendMore(on connection: inout Connection) {
    guard connection.isUsable else { return }
    while !hasBrokenOff, !budget.isSpent, sent < groups.count,
      sent - outcomes.count < Self.window
    {
      do {
        try groups[sent].validate()
      } catch {
        // Those before it must have their outcomes first, to keep the order.
        if outcomes.count < sent { return }
        outcomes.append(.failure(error))
        sent += 1
        continue
      }
      // A server that hung up may have answered before: that is still read.
      hasBrokenOff =
        unsafe !groups[sent].send(on: &connection) || PQpipelineSync(connection.pointer) != 1
      sent += 1
    }
  }

  private mutating func take(_ result: OpaquePointer, on connection: inout Connection) {
    if unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC {
      unsafe PQclear(result)
      finishGroup(on: &connection)
    } else if unsafe !current.take(result) {
      connection.giveUp()
      finishSent(with: .lost(""))
    }
  }

  /// Takes what had arrived before the connection was lost, as far as libpq has kept it. Without a
  /// socket it cannot wait, and ends with an error of its own.
  private mutating func takeRest(of connection: inout Connection) {
    guard unsafe PQstatus(connection.pointer) != CONNECTION_OK else { return }
    // Between the results of two statements there is one that is nil.
    var gaps = 0
    while outcomes.count < sent, gaps < 2 {
      if let result = unsafe PQgetResult(connection.pointer) {
        gaps = 0
        unsafe take(result, on: &connection)
      } else {
        gaps += 1
      }
    }
  }

  private mutating func finishGroup(on connection: inout Connection) {
    var outcome = current.outcome(connection.warnings)
    if case .failure(let error) = outcome, error.kind == .cancelled, budget.isOver {
      // What began after the time was over only gave way: it is not to blame.
      let isToBlame = outcomes.count == overdue || error.outcomeIsUnknown
      outcome = .failure(isToBlame ? error.timedOut(after: timeout) : .notRun)
    }
    outcomes.append(outcome)
    current = GroupResult(access: access)
    connection.resetWarnings()
  }

  /// Ends what was sent and will not be answered any more.
  private mutating func finishSent(with error: PostgresError) {
    while outcomes.count < sent {
      outcomes.append(.failure(current.error ?? error))
      current = GroupResult(access: access)
    }
  }
}

extension Result where Failure == PostgresError {
  fileprivate var endsConnection: Bool {
    if case .failure(let error) = self { return error.kind.endsConnection }
    return false
  }
}

extension PostgresError {
  fileprivate static let notRun = PostgresError(
    kind: .notRun, message: "the time was over before its turn came")
}
