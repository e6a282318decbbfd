public import Crypto

/// A certificate chain like that of the App Store: root and intermediate P-384, leaf P-256, with
/// Apple's two marker extensions. Made anew at each start, and named NOT APPLE.
public struct SigningChain: Sendable {
  public static let leafMarker = "1.2.840.113635.100.6.11.1"
  public static let intermediateMarker = "1.2.840.113635.100.6.2.1"

  public let root: Certificate
  public let intermediate: Certificate
  public let leaf: Certificate
  let leafKey: PrivateKey
  private let signingKey: SigningKey

  /// What a forger would leave out.
  public struct Markers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let leaf = Markers(rawValue: 1)
    public static let intermediate = Markers(rawValue: 2)
    public static let all: Markers = [.leaf, .intermediate]
  }

  /// - Parameter validFor: seconds from now; the certificates are valid for the last 400 days.
  public init(markers: Markers = .all, validFor: Int = 86_400 * 3650) throws(SimulationError) {
    func profile(_ name: String, isAuthority: Bool, _ oids: [String]) -> CertificateProfile {
      var profile = CertificateProfile("\(name) - NOT APPLE", isAuthority: isAuthority)
      profile.markers = oids
      profile.validFor = validFor
      return profile
    }
    let rootKey = try PrivateKey(.p384)
    root = try Certificate(profile("Simulated Root CA", isAuthority: true, []), key: rootKey)
    let intermediateKey = try PrivateKey(.p384)
    intermediate = try Certificate(
      profile(
        "Simulated Intermediate", isAuthority: true,
        markers.contains(.intermediate) ? [Self.intermediateMarker] : []),
      key: intermediateKey, issuer: Issuer(certificate: root, key: rootKey))
    let leafKey = try PrivateKey(.p256)
    leaf = try Certificate(
      profile(
        "Simulated App Store Signing", isAuthority: false,
        markers.contains(.leaf) ? [Self.leafMarker] : []),
      key: leafKey, issuer: Issuer(certificate: intermediate, key: intermediateKey))
    self.leafKey = leafKey
    signingKey = try Self.signingKey(leafKey)
  }

  /// A chain that was made before.
  public init(root: Certificate, intermediate: Certificate, leaf: Certificate, leafKey: PrivateKey)
    throws(SimulationError)
  {
    self.root = root
    self.intermediate = intermediate
    self.leaf = leaf
    self.leafKey = leafKey
    signingKey = try Self.signingKey(leafKey)
  }

  public var rootPEM: String { root.pem }

  /// For a verifier in the same process.
  public var anchors: TrustAnchors {
    get throws(CryptoError) { try TrustAnchors(certificates: [Array(rootPEM.utf8)]) }
  }

  /// Leaf first, as a JWS header has it.
  public var x5c: [Certificate] { [leaf, intermediate, root] }

  /// A JWS of `payload`.
  public func sign(_ payload: JSONObject) throws(SimulationError) -> String {
    try JWSParts(chain: self, payload: payload).signed(by: self)
  }

  func signature(over text: String) throws(SimulationError) -> [UInt8] {
    do throws(CryptoError) {
      return try signingKey.signature(over: Array(text.utf8))
    } catch {
      throw SimulationError(error.message)
    }
  }

  private static func signingKey(_ key: PrivateKey) throws(SimulationError) -> SigningKey {
    do throws(CryptoError) {
      return try SigningKey(pem: key.pem)
    } catch {
      throw SimulationError(error.message)
    }
  }
}

/// A JWS before it is signed; forgeries change it in between.
struct JWSParts {
  var header: JSONObject
  var payload: JSONObject

  init(chain: SigningChain, payload: JSONObject) {
    header = ["alg": "ES256", "x5c": .array(chain.x5c.map { .string(Base64.encode($0.der)) })]
    self.payload = payload
  }

  var signingInput: String {
    Base64URL.encode(Array(header.text.utf8)) + "." + Base64URL.encode(Array(payload.text.utf8))
  }

  func signed(by chain: SigningChain) throws(SimulationError) -> String {
    let input = signingInput
    return input + "." + Base64URL.encode(try chain.signature(over: input))
  }
}
