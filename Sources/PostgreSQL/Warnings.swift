internal import CPostgreSQL

/// What a statement's warnings tell about its commit. Notices are ignored: libpq would print them.
@safe struct Warnings {
  /// The message of the first warning since the last reset.
  private(set) var first: String?
  /// The message that a commit stands locally, but was not confirmed by the synchronous standby:
  /// somebody cancelled the wait, and a failover may undo it.
  private(set) var commitInDoubt: String?

  mutating func add(severity: String?, function: String?, message: String) {
    guard severity == "WARNING" else { return }
    if first == nil { first = message }
    // The wait has no SQLSTATE of its own; the function's name is not translated.
    if function == "SyncRepWaitForLSN" { commitInDoubt = message }
  }

  mutating func reset() {
    self = Warnings()
  }

  /// Makes libpq hand its notices to `target`, which must outlive the connection.
  static func collect(
    from connection: OpaquePointer, into target: UnsafeMutablePointer<Warnings>
  ) {
    let receive: PQnoticeReceiver = { target, result in
      guard let target = unsafe target, let result = unsafe result else { return }
      unsafe target.assumingMemoryBound(to: Warnings.self).pointee.add(
        severity: errorField(PG_FIELD_SEVERITY, of: result),
        function: errorField(PG_FIELD_FUNCTION, of: result),
        message: errorField(PG_FIELD_MESSAGE, of: result) ?? "")
    }
    unsafe PQsetNoticeReceiver(connection, receive, target)
  }
}
