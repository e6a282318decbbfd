import PostgreSQL
import Store

/// Whether what PostgreSQL notifies of arrives.
enum CheckListen {
  private static let channel = "consumptiond_check"
  private static let patience = Duration.seconds(2)

  /// - Parameter connection: of `database`, by which a notification is sent.
  static func findings(
    _ loaded: LoadedConfiguration, on connection: inout Connection
  ) -> [Finding] {
    guard let info = loaded.listen else {
      return [
        .doubtful(
          "listen", "off: the daemon looks twice a second", "leave it out where LISTEN works")
      ]
    }
    do throws(PostgresError) {
      var listener = try Connection(info, timeout: .seconds(5))
      _ = try listener.query("LISTEN \(channel)")
      _ = try connection.query("SELECT pg_notify($1, '')", [.text(channel)])
      let isHeard = try !listener.notifications(timeout: patience).isEmpty
      return [
        isHeard
          ? .fine("listen", "what is enqueued is heard at once")
          : .doubtful(
            "listen", "nothing is heard: is database a pooler in transaction mode?",
            "listen: a direct connection, or \"off\"")
      ]
    } catch {
      return [
        .doubtful(
          "listen",
          "cannot be used: \(Printable.text(error.message)); the daemon then looks twice "
            + "a second", "listen: a direct connection to the primary, or \"off\"")
      ]
    }
  }
}
