internal import AppStore
internal import Crypto

/// The tokens in use, one for each app, made anew early and after each rejection.
struct TokenCase {
  struct Token {
    let bearer: BearerToken
    /// Tells tokens of one app apart: many requests may be rejected with the same one.
    let number: Int
    /// Whether it was made because Apple rejected the one before.
    let followsRejection: Bool
  }

  private var current: [String: Token] = [:]
  private var rejected: Set<String> = []
  private var made = 0

  /// Left of a token's 15 minutes when it is no longer used.
  private static let reserve = Duration.seconds(300)

  mutating func token(
    for app: Settings.App, now: Instant
  ) throws(CryptoError) -> Token {
    let bundleId = app.identity.bundleId
    if let token = current[bundleId], now < token.bearer.expiresAt - Self.reserve { return token }
    made += 1
    let token = Token(
      bearer: try BearerToken.make(key: app.key, bundleId: bundleId, now: now), number: made,
      followsRejection: rejected.contains(bundleId))
    current[bundleId] = token
    return token
  }

  /// Apple said 401 to it. Returns false when another request had that answer before.
  mutating func reject(_ token: Token, of bundleId: String) -> Bool {
    guard current[bundleId]?.number == token.number else { return false }
    current[bundleId] = nil
    rejected.insert(bundleId)
    return true
  }

  /// Apple took it: the next rejection is a first one again.
  mutating func accept(_ token: Token, of bundleId: String) { rejected.remove(bundleId) }
}
