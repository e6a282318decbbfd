/// An app that this daemon answers for.
public struct AppIdentity: Sendable, Equatable {
  public let bundleId: String
  /// Required where Production is served; Apple leaves it out in the sandbox.
  public let appAppleId: Int64?
  public let environments: Set<Environment>

  public init(bundleId: String, appAppleId: Int64?, environments: Set<Environment>) {
    self.bundleId = bundleId
    self.appAppleId = appAppleId
    self.environments = environments
  }
}
