public import Crypto

/// A chain like Apple's, of which a test may spoil any certificate before it is made.
public struct TestChain: Sendable {
  public static let leafMarker = "1.2.840.113635.100.6.11.1"
  public static let intermediateMarker = "1.2.840.113635.100.6.2.1"

  /// What the three certificates will say.
  public struct Plan: Sendable {
    public var root = TestCertificate.Contents(subject: "Test Root")
    public var intermediate = TestCertificate.Contents(subject: "Test Intermediate")
    public var leaf = TestCertificate.Contents(subject: "Test Leaf")

    public init() {
      root.isAuthority = true
      root.keyUsage = 0x06
      intermediate.isAuthority = true
      intermediate.pathLength = 0
      intermediate.keyUsage = 0x06
      intermediate.markers = [TestChain.intermediateMarker]
      leaf.markers = [TestChain.leafMarker]
    }
  }

  public let root: TestCertificate
  public let intermediate: TestCertificate
  public let leaf: TestCertificate

  public init(spoil: (inout Plan) -> Void = { _ in }) throws {
    var plan = Plan()
    spoil(&plan)
    root = try TestCertificate(plan.root)
    intermediate = try TestCertificate(plan.intermediate, issuer: root)
    leaf = try TestCertificate(plan.leaf, issuer: intermediate)
  }

  public var der: [[UInt8]] { [leaf.der, intermediate.der, root.der] }

  public func anchors() throws -> TrustAnchors { try TrustAnchors(certificates: [root.der]) }
}
