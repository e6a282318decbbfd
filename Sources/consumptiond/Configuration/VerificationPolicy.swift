import AppStore
import Crypto

/// What `consumptiond verify` holds a payload against: the part of a configuration that says whose
/// signatures count and for which apps.
struct VerificationPolicy: Sendable {
  /// The file, as the user named it.
  let file: String
  let apps: [AppIdentity]
  let anchors: TrustAnchors
}
