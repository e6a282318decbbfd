import Crypto
import FoundationEssentials
import TestCertificates
import Testing

/// The chain that Apple really signs with, and the public test certificates of its libraries.
@Suite(.disabled(if: SharedVectors.isMissing, "../shared/vectors is not there"))
struct AppleChainTests {
  private static func real() throws -> [[UInt8]] {
    let data = try SharedVectors.data("apple/chain/real-chain.json")
    let file = try JSONDecoder().decode([String: String].self, from: data)
    return ["SIGNING_CERTIFICATE", "INTERMEDIATE", "ROOT"].map { name in
      Base64.decode(file["REAL_APPLE_\(name)_BASE64_ENCODED"] ?? "") ?? []
    }
  }

  private static func certificate(_ name: String) throws -> [UInt8] {
    let text = try SharedVectors.text("apple/certs/\(name).pem")
    // The files begin with the certificate in words.
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN") }
      .filter { !$0.hasPrefix("-") }
    return Base64.decode(lines.joined()) ?? []
  }

  @Test func `A-32: The real chain verifies by the default pin, then and now`() throws {
    let chain = try CertificateChain(Self.real(), anchors: .appleRootCAG3)
    // 2025-11-01 and 2026-11-30.
    #expect(chain.isValid(atMilliseconds: 1_761_955_200_000))
    #expect(chain.isValid(atMilliseconds: 1_795_996_800_000))
    // the leaf ends on 2027-10-13.
    #expect(!chain.isValid(atMilliseconds: 1_823_472_000_000))
    #expect(chain.validity.upperBound == 1_823_449_643_999)
  }

  @Test func `A-29: Under the pin a swapped third certificate ends it`() throws {
    let real = try Self.real()
    let other = try TestChain()
    for third in [other.root.der, real[1], real[0], real[2] + [0]] {
      let error = #expect(throws: CertificateChainError.self) {
        try CertificateChain([real[0], real[1], third], anchors: .appleRootCAG3)
      }
      #expect(error?.message.contains("third certificate") == true)
    }
  }

  @Test(arguments: [
    ("testLeaf", "testIntermediate", ""),
    ("testInvalidIntermediateLeaf", "testInvalidOIDIntermediate", "second certificate lacks"),
    ("testInvalidOIDLeaf", "testIntermediate", "first certificate lacks"),
  ])
  func `A-29: The libraries' own test certificates`(
    leaf: String, intermediate: String, message: String
  ) throws {
    let root = try Array(SharedVectors.data("apple/certs/testCA.der"))
    let der = try [Self.certificate(leaf), Self.certificate(intermediate), root]
    let anchors = try TrustAnchors(certificates: [root])
    if message.isEmpty {
      _ = try CertificateChain(der, anchors: anchors)
    } else {
      let error = #expect(throws: CertificateChainError.self) {
        try CertificateChain(der, anchors: anchors)
      }
      #expect(error?.message.contains(message) == true)
    }
  }
}
