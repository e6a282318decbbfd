import AppStore
import Crypto
import Daemon
import Decision

/// Everything that `consumptiond.json` says, checked: keys are parsed, files are read, numbers are
/// exact. What PostgreSQL alone can judge (queries, rules, tables) is checked when the daemon starts.
struct Configuration: Sendable {
  /// The file, as the user named it.
  let file: String
  let mode: Settings.Mode
  /// The name of this installation; nil: a database's stamp is not looked at.
  let instance: String?
  let connections: DatabaseConnections
  let apps: [App]
  /// Apple's pinned root, or `trustedRoots`.
  let anchors: TrustAnchors
  /// Whether they are Apple's.
  let trustsApple: Bool
  /// Tried in turn; the first that returns a row wins.
  let customer: [NamedQuery]
  let consent: NamedQuery
  /// Nil: `cost` is unknown.
  let usage: UsagePolicy?
  let response: ResponsePolicy
  let deadline: DeadlinePolicy
  let worker: Worker
  let retention: Retention

  struct DatabaseConnections: Sendable, Equatable {
    /// A libpq conninfo or URI; nil: libpq's own defaults.
    let database: Secret?
    let listen: Listen
    /// Whether less than `sslmode=verify-full` is allowed to a host elsewhere.
    let allowInsecureDatabase: Bool
    /// Of the user's queries.
    let searchPath: String
  }

  enum Listen: Sendable, Equatable {
    /// On a connection made like the others.
    case database
    /// On a direct one, because `database` is a pooler.
    case direct(Secret)
    /// Not at all: the poll alone.
    case off
  }

  struct App: Sendable {
    let bundleId: String
    /// Present when Production is served.
    let appAppleId: Int64?
    let environments: Set<AppStore.Environment>
    /// Tried in turn: the next when Apple rejects one.
    let keys: [Key]
    /// Stand-ins for Apple's hosts; empty but in tests.
    let endpoints: [AppStore.Environment: Endpoint]

    var identity: AppIdentity {
      AppIdentity(bundleId: bundleId, appAppleId: appAppleId, environments: environments)
    }
  }

  struct Key: Sendable {
    let api: APIKey
    /// The path of the file that it was read from.
    let file: String
  }

  struct Endpoint: Sendable, Equatable {
    /// `http` or `https`, host and port, without a slash at the end.
    let url: String
    /// The path of a PEM file with the roots of its TLS certificate; nil: the system's.
    let rootsFile: String?
  }

  struct Worker: Sendable, Equatable {
    /// PUTs in flight.
    var concurrency = 16
    /// Of one PUT, from connecting to the last byte.
    var requestTimeout: Duration = .seconds(15)
    /// For all queries of one batch together.
    var queryTimeout: Duration = .seconds(10)
  }

  struct Retention: Sendable, Equatable {
    var payloads: Duration = .seconds(7 * 86_400)
    var evidence: Duration = .seconds(400 * 86_400)
    var rejected: Duration = .seconds(14 * 86_400)
  }
}
