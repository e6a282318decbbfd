internal import CPostgreSQL

/// A connection to PostgreSQL that waits for nothing without a deadline.
///
/// It has one owner and finishes itself when that lets go of it. All calls block the calling thread
/// until their deadline at most: confine it to a serial queue (an actor on one may hold it as
/// `var connection: Connection?`). Statements are unnamed and each call is complete in itself, so
/// that a pooler in transaction mode may stand in between.
@safe public struct Connection: ~Copyable, Sendable {
  /// How long a cancelled statement may take to end before the connection is given up.
  static let drainTime = Duration.seconds(1)

  private let handle: Handle<OpaquePointer>
  private let collected: Handle<UnsafeMutablePointer<Warnings>>
  private var isBroken = false
  /// Cancels what this connection runs, from any thread.
  public let canceller: Canceller

  /// Connects to the first host that answers as asked for.
  ///
  /// - Parameters:
  ///   - info: Where to. `withDefaults` adds the time limits for each host.
  ///   - timeout: The limit over all hosts.
  /// - Throws: `.connection`; the message is libpq's, without secrets.
  public init(_ info: Conninfo, timeout: Duration) throws(PostgresError) {
    guard let handle = unsafe Connecting.connect(info, deadline: Deadline(after: timeout)) else {
      throw PostgresError(kind: .connection, message: "no server answered within \(timeout)")
    }
    guard unsafe PQstatus(handle.pointer) == CONNECTION_OK,
      // Never blocking again: libpq's buffers would deadlock with the server's in a pipeline.
      unsafe PQsetnonblocking(handle.pointer, 1) == 0,
      let canceller = unsafe Canceller(handle.pointer)
    else {
      let message = unsafe String(cString: PQerrorMessage(handle.pointer))
      unsafe PQfinish(handle.pointer)
      throw PostgresError(kind: .connection, message: info.redacted(message))
    }
    let warnings = UnsafeMutablePointer<Warnings>.allocate(capacity: 1)
    unsafe warnings.initialize(to: Warnings())
    unsafe Warnings.collect(from: handle.pointer, into: warnings)
    unsafe self.handle = unsafe handle
    self.canceller = canceller
    unsafe collected = Handle(warnings)
  }

  deinit {
    unsafe PQfinish(handle.pointer)
    unsafe collected.pointer.deinitialize(count: 1)
    unsafe collected.pointer.deallocate()
  }

  /// False once the connection is lost, its server takes no writes, or it could not be brought back
  /// into step in time: throw it away.
  public var isUsable: Bool {
    unsafe !isBroken && PQstatus(handle.pointer) == CONNECTION_OK
  }

  /// For a dispatch source that tells when `notifications()` is worth calling; -1 when lost. Cancel
  /// the source before the connection goes, or its descriptor is watched when it is another file's.
  public var socket: Int32 { unsafe PQsocket(handle.pointer) }

  /// As a number: 150018 is 15.18.
  public var serverVersion: Int { unsafe Int(PQserverVersion(handle.pointer)) }

  /// The server process, as `pg_stat_activity.pid` shows it.
  public var processID: Int32 { unsafe PQbackendPID(handle.pointer) }

  public var transactionStatus: TransactionStatus {
    switch unsafe PQtransactionStatus(handle.pointer) {
    case PQTRANS_IDLE: .idle
    case PQTRANS_ACTIVE: .active
    case PQTRANS_INTRANS: .inTransaction
    case PQTRANS_INERROR: .failed
    default: .unknown
    }
  }

  /// What the server says about one of its reported settings, for example `in_hot_standby`.
  public func parameterStatus(_ name: String) -> String? {
    unsafe PQparameterStatus(handle.pointer, name).map { unsafe String(cString: $0) }
  }

  /// A name as an identifier in SQL, quoted whatever it contains.
  public func quotedIdentifier(_ name: String) -> String {
    SQLText.identifier(name)
  }
}

// What the files beside this one build on.
extension Connection {
  var pointer: OpaquePointer { unsafe handle.pointer }

  var warnings: Warnings { unsafe collected.pointer.pointee }

  mutating func resetWarnings() {
    unsafe collected.pointer.pointee.reset()
  }

  /// The connection can no longer be trusted to be in step with its server.
  mutating func giveUp() {
    isBroken = true
  }

  /// The connection is lost; libpq's word for why.
  mutating func lost() -> PostgresError {
    giveUp()
    return .lost(unsafe String(cString: PQerrorMessage(pointer)))
  }

  func requireUsable() throws(PostgresError) {
    guard isUsable else {
      throw PostgresError(kind: .connection, message: "the connection had been lost before")
    }
  }
}
