internal import AppStore
internal import Crypto

/// The tokens in use, one for each app, made anew early and after each rejection.
///
/// After a 401: a fresh token of the same key, then one of each other key; when Apple took none, each
/// further rejection moves on to the next key, and requests wait in between.
struct TokenCase {
  struct Token {
    let bearer: BearerToken
    /// Tells tokens of one app apart: many requests may be rejected with the same one.
    let number: Int
    /// Whether a rejection of it leaves nothing that was not tried.
    let isLast: Bool
  }

  /// Of one app.
  private struct Ring {
    var token: Token?
    var key = 0
    /// Since Apple took one.
    var rejections = 0
  }

  private var rings: [String: Ring] = [:]
  private var made = 0

  /// Left of a token's 15 minutes when it is no longer used.
  private static let reserve = Duration.seconds(300)

  mutating func token(
    for app: Settings.App, now: Instant
  ) throws(CryptoError) -> Token {
    let bundleId = app.identity.bundleId
    var ring = rings[bundleId] ?? Ring()
    if let token = ring.token, now < token.bearer.expiresAt - Self.reserve { return token }
    guard app.keys.indices.contains(ring.key % max(app.keys.count, 1)) else {
      throw CryptoError(message: "there is no key")
    }
    let key = app.keys[ring.key % app.keys.count]
    made += 1
    let token = Token(
      bearer: try BearerToken.make(key: key, bundleId: bundleId, now: now), number: made,
      isLast: ring.rejections >= app.keys.count)
    ring.token = token
    rings[bundleId] = ring
    return token
  }

  /// Apple said 401 to it. Returns false when another request had that answer before.
  mutating func reject(_ token: Token, of bundleId: String) -> Bool {
    guard var ring = rings[bundleId], ring.token?.number == token.number else { return false }
    ring.token = nil
    ring.rejections += 1
    // The first rejection may be a clock's doing: the same key has a second try.
    if ring.rejections > 1 { ring.key += 1 }
    rings[bundleId] = ring
    return true
  }

  /// Apple took it: the next rejection is a first one again.
  mutating func accept(_ token: Token, of bundleId: String) { rings[bundleId]?.rejections = 0 }
}
