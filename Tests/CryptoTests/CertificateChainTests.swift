import Crypto
import TestCertificates
import Testing

@Suite struct CertificateChainTests {
  /// 2026-01-01.
  private static let during: Int64 = 1_767_225_600_000

  @Test func `A chain like Apple's holds, and its key is the leaf's`() throws {
    let chain = try TestChain()
    let verified = try CertificateChain(chain.der, anchors: chain.anchors())
    let signature = try chain.leaf.key.signature(over: [1])
    #expect(verified.leafKey.isValid(signature, over: [1]))
    #expect(verified.isValid(atMilliseconds: Self.during))
  }

  @Test func `Validity is what the three have in common, to the last second`() throws {
    let chain = try TestChain { plan in
      plan.leaf.notBefore = "20250101000000Z"
      plan.intermediate.notAfter = "20260101000000Z"
    }
    let verified = try CertificateChain(chain.der, anchors: chain.anchors())
    #expect(verified.validity == 1_735_689_600_000...1_767_225_600_999)
    #expect(!verified.isValid(atMilliseconds: 1_735_689_599_999))
    #expect(!verified.isValid(atMilliseconds: 1_767_225_601_000))
  }

  @Test func `Certificates that are never valid together are no chain`() throws {
    let chain = try TestChain { plan in
      plan.leaf.notBefore = "20310101000000Z"
      plan.intermediate.notAfter = "20300101000000Z"
    }
    try expectRefused(chain.der, by: chain.anchors(), because: "never valid together")
  }

  @Test func `A-29: Exactly three certificates`() throws {
    let chain = try TestChain()
    let der = chain.der
    for count in [0, 1, 2] {
      try expectRefused(
        Array(der.prefix(count)), by: chain.anchors(),
        because: "expected 3 certificates, found \(count)")
    }
    try expectRefused(
      der + [chain.root.der], by: chain.anchors(), because: "expected 3 certificates, found 4")
  }

  @Test func `A-29: In no other order`() throws {
    let chain = try TestChain()
    let (leaf, intermediate, root) = (chain.leaf.der, chain.intermediate.der, chain.root.der)
    let orders = [
      [leaf, root, intermediate], [intermediate, leaf, root], [intermediate, root, leaf],
      [root, leaf, intermediate], [root, intermediate, leaf], [leaf, leaf, root],
      [root, root, root], [intermediate, intermediate, root],
    ]
    for order in orders {
      #expect(throws: CertificateChainError.self) {
        try CertificateChain(order, anchors: chain.anchors())
      }
    }
  }

  /// What a test spoils, and what the refusal must say, so that each fails for its own reason.
  private static let spoilers: [(String, String, @Sendable (inout TestChain.Plan) -> Void)] = [
    ("leaf without marker", "first certificate lacks", { $0.leaf.markers = [] }),
    (
      "leaf with a neighbour of the marker", "first certificate lacks",
      { $0.leaf.markers = ["1.2.840.113635.100.6.11.2"] }
    ),
    (
      "leaf with the other marker", "first certificate lacks",
      { $0.leaf.markers = [TestChain.intermediateMarker] }
    ),
    (
      "intermediate without marker", "second certificate lacks", { $0.intermediate.markers = [] }
    ),
    (
      "intermediate that is no authority", "invalid CA certificate",
      { $0.intermediate.isAuthority = false }
    ),
    (
      "intermediate without basic constraints", "invalid CA certificate",
      {
        $0.intermediate.isAuthority = nil
        $0.intermediate.keyUsage = 0x80
      }
    ),
    (
      "intermediate that may not sign certificates", "invalid CA certificate",
      { $0.intermediate.keyUsage = 0x80 }
    ),
    ("root that allows no authority below", "path length", { $0.root.pathLength = 0 }),
    ("leaf that is an authority", "not one for signatures", { $0.leaf.isAuthority = true }),
    (
      "leaf that may sign certificates", "not one for signatures",
      {
        $0.leaf.isAuthority = true
        $0.leaf.keyUsage = 0x84
      }
    ),
    ("leaf for something else", "not one for signatures", { $0.leaf.keyUsage = 0x20 }),
    ("leaf on P-384", "not on the curve P-256", { $0.leaf.publicKey = p384 }),
    (
      "leaf with an unknown critical extension", "critical extension",
      { $0.leaf.criticalExtensions = ["1.2.3.4.5"] }
    ),
    (
      "intermediate with an unknown critical extension", "critical extension",
      { $0.intermediate.criticalExtensions = ["1.2.3.4.5"] }
    ),
  ]

  @Test(arguments: spoilers.indices)
  func `A-29: One thing is wrong`(index: Int) throws {
    let (name, message, spoil) = Self.spoilers[index]
    let chain = try TestChain(spoil: spoil)
    try expectRefused(chain.der, by: chain.anchors(), because: message, name)
  }

  @Test func `A-29: Somebody else's chain with the same names`() throws {
    let chain = try TestChain()
    let other = try TestChain()
    try expectRefused(other.der, by: chain.anchors(), because: "")
    try expectRefused(
      [other.leaf.der, other.intermediate.der, chain.root.der], by: chain.anchors(), because: "")
    try expectRefused(
      [other.leaf.der, chain.intermediate.der, chain.root.der], by: chain.anchors(), because: "")
  }

  @Test func `A-30: A leaf that signed itself, and one that the root issued directly`() throws {
    let chain = try TestChain()
    var contents = TestChain.Plan().leaf
    let selfSigned = try TestCertificate(contents)
    try expectRefused(
      [selfSigned.der, chain.intermediate.der, chain.root.der], by: chain.anchors(), because: "")
    contents.subject = "Direct"
    let direct = try TestCertificate(contents, issuer: chain.root)
    try expectRefused(
      [direct.der, chain.intermediate.der, chain.root.der], by: chain.anchors(),
      because: "do not form one path")
  }

  @Test func `A-29: A developer's own certificate may not issue another`() throws {
    let chain = try TestChain()
    var contents = TestChain.Plan().leaf
    contents.subject = "Forged"
    let forged = try TestCertificate(contents, issuer: chain.leaf)
    try expectRefused(
      [forged.der, chain.leaf.der, chain.root.der], by: chain.anchors(), because: "")
  }

  @Test func `With configured roots the third certificate is not looked at`() throws {
    let chain = try TestChain()
    let other = try TestChain()
    for third in [other.root.der, [1, 2, 3], []] {
      let der = [chain.leaf.der, chain.intermediate.der, third]
      _ = try CertificateChain(der, anchors: chain.anchors())
    }
    let both = try TrustAnchors(certificates: [other.root.der, chain.root.der])
    _ = try CertificateChain(chain.der, anchors: both)
    _ = try CertificateChain(other.der, anchors: both)
  }

  @Test func `Under the pin a root of one's own is no root`() throws {
    let chain = try TestChain()
    try expectRefused(
      chain.der, by: .appleRootCAG3, because: "third certificate is not Apple Root CA - G3")
  }

  @Test func `A certificate with a byte behind it is none`() throws {
    let chain = try TestChain()
    try expectRefused(
      [chain.leaf.der + [0], chain.intermediate.der, chain.root.der], by: chain.anchors(),
      because: "first certificate cannot be read")
    try expectRefused(
      [chain.leaf.der, [], chain.root.der], by: chain.anchors(),
      because: "second certificate cannot be read")
  }

  @Test func `Roots come as DER or PEM, one or several a file`() throws {
    let chain = try TestChain()
    let other = try TestChain()
    let pem = Self.pem(other.root.der) + "some text\n" + Self.pem(chain.root.der)
    _ = try CertificateChain(
      chain.der, anchors: TrustAnchors(certificates: [Array(pem.utf8)]))
  }

  @Test func `A file that is no root is refused as one`() throws {
    let chain = try TestChain()
    let cases = [
      ([UInt8]("hello".utf8), "not a certificate"), ([], "not a certificate"),
      (chain.leaf.der, "not a root"), (chain.intermediate.der, "not a root"),
      (Array(Self.pem(chain.leaf.der).utf8), "not a root"),
    ]
    for (file, message) in cases {
      let error = #expect(throws: CryptoError.self) { try TrustAnchors(certificates: [file]) }
      #expect(error?.message.contains(message) == true)
    }
    #expect(throws: CryptoError.self) { try TrustAnchors(certificates: []) }
  }

  private func expectRefused(
    _ der: [[UInt8]], by anchors: TrustAnchors, because message: String, _ name: String = ""
  ) throws {
    let error = #expect(throws: CertificateChainError.self, "\(name)") {
      try CertificateChain(der, anchors: anchors)
    }
    if let error, !message.isEmpty {
      #expect(error.message.contains(message), "\(name): \(error.message)")
    }
  }

  private static func pem(_ der: [UInt8]) -> String {
    var lines = "-----BEGIN CERTIFICATE-----\n"
    var rest = Base64.encode(der)[...]
    while !rest.isEmpty {
      lines += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return lines + "-----END CERTIFICATE-----\n"
  }

  /// The public key of Apple Root CA - G3, as any point on that curve.
  private static let p384 = Base64.decode(
    "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEmOkvPUBypO2TInKBExzdEJXxxaNOcdwUFtkO5aYFKndke19OONO7"
      + "HES1f/UftjJiXcnphFtPME8RWgD9WFgMpfUPLE0HRxN12peXl28xXO0rnXsgO9i5VNlemaQ6UQox")
}
