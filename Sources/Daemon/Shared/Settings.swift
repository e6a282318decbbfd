public import AppStore
public import Crypto
public import Decision
public import PostgreSQL
public import Store

/// What a daemon works by: a configuration that was read and found right.
public struct Settings: Sendable {
  /// Where Apple's API is, for one environment of one app.
  public struct Endpoint: Sendable {
    /// Without a path.
    public let url: String
    /// A PEM file of certificate authorities; nil for the system's.
    public let rootsFile: String?

    public init(url: String, rootsFile: String?) {
      self.url = url
      self.rootsFile = rootsFile
    }
  }

  public struct App: Sendable {
    public let identity: AppIdentity
    /// Tried in turn: the next when Apple rejects one.
    public let keys: [APIKey]
    public let endpoints: [AppStore.Environment: Endpoint]

    public init(
      identity: AppIdentity, keys: [APIKey], endpoints: [AppStore.Environment: Endpoint]
    ) {
      self.identity = identity
      self.keys = keys
      self.endpoints = endpoints
    }
  }

  /// Whether answers are sent, or only decided and recorded.
  public enum Mode: String, Sendable, CaseIterable {
    case observe
    case answer
  }

  public var mode: Mode
  public var database: Conninfo
  /// Where LISTEN works; nil when it is off and the daemon polls alone.
  public var listen: Conninfo?
  public var apps: [App]
  public var anchors: TrustAnchors
  public var queries: QueryPolicy
  public var response: ResponsePolicy
  public var deadline: DeadlinePolicy
  /// Requests on the wire at once.
  public var concurrency: Int
  /// For one request to Apple, from the name's lookup to the last byte.
  public var requestTimeout: Duration
  /// For the queries of a batch.
  public var queryTimeout: Duration
  /// How long signed payloads stay after they are done with.
  public var payloadRetention: Duration
  /// Renewed at a third of its length; longer than a request may take.
  public var lease: Duration = .seconds(45)

  public init(
    mode: Mode, database: Conninfo, listen: Conninfo?, apps: [App], anchors: TrustAnchors,
    queries: QueryPolicy, response: ResponsePolicy, deadline: DeadlinePolicy, concurrency: Int,
    requestTimeout: Duration, queryTimeout: Duration, payloadRetention: Duration
  ) {
    self.mode = mode
    self.database = database
    self.listen = listen
    self.apps = apps
    self.anchors = anchors
    self.queries = queries
    self.response = response
    self.deadline = deadline
    self.concurrency = concurrency
    self.requestTimeout = requestTimeout
    self.queryTimeout = queryTimeout
    self.payloadRetention = payloadRetention
  }

  /// What this daemon answers for.
  var served: [Requests.Served] {
    apps.flatMap { app in
      app.identity.environments.sorted { $0.rawValue < $1.rawValue }.map {
        Requests.Served(bundleId: app.identity.bundleId, environment: $0)
      }
    }
  }

  func app(_ bundleId: String) -> App? { apps.first { $0.identity.bundleId == bundleId } }
}
