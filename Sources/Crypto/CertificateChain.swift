internal import COpenSSL

/// Why the certificates of a signature are not trusted. Holds nothing of their content.
public struct CertificateChainError: Error, Sendable, Equatable, CustomStringConvertible {
  public let message: String

  init(_ message: String) {
    self.message = message
  }

  public var description: String { message }
}

/// The verified chain of an App Store signature: leaf, intermediate, root.
///
/// "Chains to Apple's root" alone proves nothing: every developer's own certificate does. What
/// makes a leaf the App Store's are the two marker extensions. The time is left out here and kept
/// as `validity`, so that a chain is verified once (its P-384 signatures cost six milliseconds) and
/// asked for its time at every use. Revocation is not checked.
public struct CertificateChain: Sendable {
  /// The P-256 key that the payload must be signed with.
  public let leafKey: VerifyingKey
  /// Milliseconds since 1970 in which all three certificates are valid, both ends included.
  public let validity: ClosedRange<Int64>

  /// "Mac App Store receipt signing": what the leaf is for.
  private static let leafMarker = "1.2.840.113635.100.6.11.1"
  /// "Worldwide Developer Relations": what the intermediate is.
  private static let intermediateMarker = "1.2.840.113635.100.6.2.1"

  /// - Parameter der: the decoded entries of `x5c`, leaf first.
  public init(_ der: [[UInt8]], anchors: TrustAnchors) throws(CertificateChainError) {
    (leafKey, validity) = try OpenSSL.call { () throws(CertificateChainError) in
      guard der.count == 3 else {
        throw CertificateChainError("expected 3 certificates, found \(der.count)")
      }
      guard let leaf = Certificate(der: der[0]) else {
        throw CertificateChainError("the first certificate cannot be read")
      }
      guard let intermediate = Certificate(der: der[1]) else {
        throw CertificateChainError("the second certificate cannot be read")
      }
      let roots = try Self.roots(anchors, third: der[2])
      let root = try PathValidation.root(leaf: leaf, intermediate: intermediate, roots: roots)
      try Self.checkIntermediate(intermediate)
      let key = try Self.checkLeaf(leaf)
      return (VerifyingKey(handle: key), try Self.validity(of: [leaf, intermediate, root]))
    }
  }

  /// Whether every certificate is valid at this time.
  public func isValid(atMilliseconds time: Int64) -> Bool {
    validity.contains(time)
  }

  private static func roots(
    _ anchors: TrustAnchors, third: [UInt8]
  ) throws(CertificateChainError) -> [Certificate] {
    switch anchors.kind {
    case .certificates(let certificates):
      return certificates
    case .pinned(let hash):
      guard SHA256.hash(third) == hash, let root = Certificate(der: third) else {
        throw CertificateChainError("the third certificate is not Apple Root CA - G3")
      }
      return [root]
    }
  }

  private static func checkIntermediate(
    _ certificate: Certificate
  ) throws(CertificateChainError) {
    guard certificate.mayIssue, certificate.allows(keyUsage: KU_KEY_CERT_SIGN) else {
      throw CertificateChainError("the second certificate may not sign certificates")
    }
    guard certificate.hasExtension(intermediateMarker) else {
      throw CertificateChainError("the second certificate lacks Apple's marker")
    }
    guard !certificate.hasUnusableExtensions else {
      throw CertificateChainError("the second certificate has an extension that is not understood")
    }
  }

  private static func checkLeaf(
    _ certificate: Certificate
  ) throws(CertificateChainError) -> KeyHandle {
    guard !certificate.claimsAuthority, certificate.allows(keyUsage: KU_DIGITAL_SIGNATURE)
    else {
      throw CertificateChainError("the first certificate is not one for signatures")
    }
    guard certificate.hasExtension(leafMarker) else {
      throw CertificateChainError("the first certificate lacks Apple's marker")
    }
    guard !certificate.hasUnusableExtensions else {
      throw CertificateChainError("the first certificate has an extension that is not understood")
    }
    guard let key = certificate.p256Key else {
      throw CertificateChainError("the first certificate's key is not on the curve P-256")
    }
    return key
  }

  private static func validity(
    of certificates: [Certificate]
  ) throws(CertificateChainError) -> ClosedRange<Int64> {
    var first = Int64.min
    var last = Int64.max
    for certificate in certificates {
      guard let validity = certificate.validity else {
        throw CertificateChainError("a certificate's validity cannot be read")
      }
      first = max(first, validity.lowerBound)
      last = min(last, validity.upperBound)
    }
    guard first <= last else {
      throw CertificateChainError("the certificates are never valid together")
    }
    return first...last
  }
}
