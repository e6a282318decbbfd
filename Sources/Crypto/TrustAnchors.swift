internal import COpenSSL

/// Where trust comes from: the pinned root of Apple, or certificates that the user configured.
public struct TrustAnchors: Sendable {
  enum Kind: Sendable {
    /// The third certificate of a chain must have this SHA-256; it is then the root.
    case pinned([UInt8])
    /// The chain must end in one of these; its third certificate is not looked at.
    case certificates([Certificate])
  }

  let kind: Kind

  /// Apple Root CA - G3, from https://www.apple.com/certificateauthority/: P-384, serial
  /// 2DC5FC88D2C54B95, valid until 2039-04-30. No intermediate is pinned: Apple replaces those.
  public static let appleRootCAG3 = TrustAnchors(
    kind: .pinned([
      0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7,
      0xBE, 0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E,
      0x91, 0x79,
    ]))

  private init(kind: Kind) {
    self.kind = kind
  }

  /// - Parameter certificates: the contents of PEM or DER files; a PEM file may hold several.
  /// - Throws: when there is none, or one is not the self-signed certificate of an authority: a
  ///   leaf or an intermediate in its place would never verify anything.
  public init(certificates files: [[UInt8]]) throws(CryptoError) {
    let certificates = try OpenSSL.call { () throws(CryptoError) in
      var certificates: [Certificate] = []
      for file in files {
        let found = Self.certificates(in: file)
        guard !found.isEmpty else {
          throw CryptoError(message: "not a certificate, neither in PEM nor in DER")
        }
        for certificate in found {
          guard certificate.isSelfIssued, certificate.mayIssue else {
            throw CryptoError(message: "not a root: expected a self-signed CA certificate")
          }
        }
        certificates += found
      }
      return certificates
    }
    guard !certificates.isEmpty else { throw CryptoError(message: "no root certificate") }
    self.kind = .certificates(certificates)
  }

  private static func certificates(in file: [UInt8]) -> [Certificate] {
    if let certificate = Certificate(der: file) { return [certificate] }
    return unsafe OpenSSL.reading(file) { bio in
      var certificates: [Certificate] = []
      while let pointer = unsafe PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) {
        unsafe certificates.append(Certificate(owning: pointer))
      }
      return certificates
    } ?? []
  }
}
