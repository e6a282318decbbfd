public import Crypto

/// A certificate that says whatever a test wants it to say.
public struct TestCertificate: Sendable {
  /// What a certificate says; the initial values are those of a leaf that holds.
  public struct Contents: Sendable {
    public var subject: String
    public var isAuthority: Bool? = false
    public var pathLength: UInt8?
    /// The first byte of the bit string: 0x80 digital signature, 0x04 certificate signing.
    public var keyUsage: UInt8? = 0x80
    public var markers: [String] = []
    /// Extensions that nobody knows and that must be understood.
    public var criticalExtensions: [String] = []
    /// `YYYYMMDDHHMMSSZ`.
    public var notBefore = "20200101000000Z"
    public var notAfter = "20400101000000Z"
    /// A SubjectPublicKeyInfo instead of the key's own.
    public var publicKey: [UInt8]?

    public init(subject: String) {
      self.subject = subject
    }
  }

  public let der: [UInt8]
  public let key: SigningKey
  public let subject: String

  /// - Parameter issuer: who signs; nil signs with the own key.
  public init(
    _ contents: Contents, key: SigningKey = SigningKey(), issuer: TestCertificate? = nil
  ) throws {
    let algorithm = DER.sequence(DER.identifier("1.2.840.10045.4.3.2"))
    let body = DER.sequence(
      DER.explicit(0, DER.integer([2])),
      DER.integer([1] + SHA256.hash(Array(contents.subject.utf8)).prefix(8)),
      algorithm,
      Self.name(issuer?.subject ?? contents.subject),
      DER.sequence(DER.time(contents.notBefore), DER.time(contents.notAfter)),
      Self.name(contents.subject),
      try contents.publicKey ?? Self.publicKey(of: key),
      DER.explicit(3, DER.value(0x30, Array(Self.extensions(contents).joined()))))
    let signature = try (issuer?.key ?? key).signature(over: body)
    let encoded = DER.sequence(
      DER.integer(Array(signature.prefix(32))), DER.integer(Array(signature.suffix(32))))
    der = DER.sequence(body, algorithm, DER.bits(encoded))
    self.key = key
    subject = contents.subject
  }

  private static func name(_ text: String) -> [UInt8] {
    DER.sequence(DER.set(DER.sequence(DER.identifier("2.5.4.3"), DER.text(text))))
  }

  private static func publicKey(of key: SigningKey) throws -> [UInt8] {
    let lines = try key.publicKey.pem().split(separator: "\n").filter { !$0.hasPrefix("-") }
    return Base64.decode(lines.joined()) ?? []
  }

  private static func extensions(_ contents: Contents) -> [[UInt8]] {
    var extensions: [[UInt8]] = []
    if let isAuthority = contents.isAuthority {
      let constraints = DER.sequence(
        isAuthority ? DER.yes : [], contents.pathLength.map { DER.integer([$0]) } ?? [])
      extensions.append(
        DER.sequence(DER.identifier("2.5.29.19"), DER.yes, DER.octets(constraints)))
    }
    if let usage = contents.keyUsage {
      let unused = UInt8(usage.trailingZeroBitCount)
      extensions.append(
        DER.sequence(
          DER.identifier("2.5.29.15"), DER.yes, DER.octets(DER.bits([usage], unused: unused))))
    }
    for marker in contents.markers {
      extensions.append(DER.sequence(DER.identifier(marker), DER.octets(DER.null)))
    }
    for identifier in contents.criticalExtensions {
      extensions.append(DER.sequence(DER.identifier(identifier), DER.yes, DER.octets(DER.null)))
    }
    return extensions
  }
}
