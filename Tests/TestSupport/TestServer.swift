import Foundation

/// The one private PostgreSQL of a test process.
public enum TestServer {
  private static let started = Result { try PostgresServer.start() }

  /// The server, started by whoever comes first and removed when the process ends, also when it
  /// crashes. Make a database for each suite: tests run side by side.
  public static func shared() throws -> PostgresServer {
    try started.get()
  }
}
