internal import PostgreSQL

/// An owner's connection: made when it is needed, thrown away when it broke.
struct DatabaseSession: ~Copyable {
  private let info: Conninfo
  private let health: DatabaseHealth
  let name: String
  private var connection: Connection?
  private var connectedAt: ContinuousClock.Instant?

  init(_ info: Conninfo, health: DatabaseHealth, name: String) {
    self.info = info
    self.health = health
    self.name = name
  }

  /// Runs `body` on the connection, connecting first where there is none.
  mutating func use<Result>(
    _ body: (inout Connection) throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    if connection == nil {
      do throws(PostgresError) {
        let made = try Connection(info, timeout: .seconds(5))
        health.connected(name, made.canceller)
        connection = consume made
        connectedAt = .now
      } catch {
        health.failed(for: name, connectedAt: nil, error)
        throw error
      }
    }
    do throws(PostgresError) {
      let result = try body(&connection!)
      health.worked(for: name)
      return result
    } catch {
      if connection?.isUsable != true { close() }
      if error.kind == .connection || error.kind == .readOnly {
        health.failed(for: name, connectedAt: connectedAt, error)
      }
      throw error
    }
  }

  /// From now on nothing of this session is cancelled by ``DatabaseHealth/cancel(_:)``.
  func ignoreCancelling() { health.disconnected(name) }

  mutating func close() {
    connection = nil
    health.disconnected(name)
  }
}
