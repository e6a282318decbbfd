/// Where a purchase was made, in Apple's spelling.
///
/// There are two. Apple's libraries know `Xcode` and `LocalTesting` as well and skip the signature
/// for them, which is a way in for anybody: here they are no environment at all. The spelling is
/// exact, because "PRODUCTION" has sent production's traffic to the sandbox before.
public enum Environment: String, Sendable, CaseIterable {
  case production = "Production"
  case sandbox = "Sandbox"

  /// The hosts that Apple recommends since 2026-05-05.
  public var apiHost: String {
    switch self {
    case .production: "api.storekit.apple.com"
    case .sandbox: "api.storekit-sandbox.apple.com"
    }
  }

  /// What an ``APICall``'s path is appended to.
  public var apiURL: String { "https://" + apiHost }
}
