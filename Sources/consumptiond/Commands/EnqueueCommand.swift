import PostgreSQL
import Store

/// `consumptiond enqueue [FILE|-]`
struct EnqueueCommand {
  let config: String?
  let source: InputSource

  /// Each payload is a transaction of its own, and its id is printed when it is committed: the same
  /// payload twice is one, so after an error the whole input may be given again.
  func run(_ output: inout Output) throws(CommandFailure) {
    let database = try Connecting.database(config: config)
    let payloads = InputReader.payloads(in: try InputReader.text(source))
    guard !payloads.isEmpty else { throw InputReader.failure(source, "nothing in it") }
    var unsaid: CommandFailure?
    try Connecting.use(database, as: .enqueue) { connection throws(PostgresError) in
      for payload in payloads {
        let id = try Enqueueing.enqueue(String(payload), on: &connection)
        do throws(CommandFailure) {
          try output.line("\(id)")
        } catch {
          unsaid = error
        }
      }
    }
    if let unsaid { throw unsaid }
  }
}
