/// A pointer that libpq gave us, with its owner's promise about who may use it.
///
/// This is the module's one `@unchecked Sendable`. It is justified by the three owners, and nothing
/// else may hold one:
/// - `Connection` is `~Copyable` and every call that touches libpq's state is `mutating`, so the
///   compiler guarantees that one thread at a time uses the `PGconn`; libpq asks for no more.
/// - `Rows` holds a `PGresult` that nobody changes after it was received.
/// - `Canceller` holds a `PGcancel`, which is immutable and made for use from other threads.
@safe struct Handle<Pointer>: @unchecked Sendable {
  let pointer: Pointer

  init(_ pointer: Pointer) {
    self.pointer = pointer
  }
}
