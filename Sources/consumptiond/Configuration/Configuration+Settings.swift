import AppStore
import Daemon
import Decision
import PostgreSQL
import Store

extension Configuration {
  /// What a daemon, or who speaks of what it would do, works by.
  func settings(database: Conninfo, listen: Conninfo?) -> Settings {
    Settings(
      mode: mode, database: database, listen: listen,
      apps: apps.map { app in
        Settings.App(
          identity: app.identity, keys: app.keys.map(\.api),
          endpoints: app.endpoints.mapValues {
            Settings.Endpoint(url: $0.url, rootsFile: $0.rootsFile)
          })
      },
      anchors: anchors, queries: queryPolicy, response: response, deadline: deadline,
      concurrency: worker.concurrency, requestTimeout: worker.requestTimeout,
      queryTimeout: worker.queryTimeout, payloadRetention: retention.payloads)
  }

  var queryPolicy: QueryPolicy {
    QueryPolicy(
      customer: customer, consent: consent, usage: usage, preference: response.preference,
      searchPath: connections.searchPath)
  }
}
