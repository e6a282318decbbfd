internal import COpenSSL

/// A public key on the curve P-256, which verifies ES256 (RFC 7518, section 3.4).
public struct VerifyingKey: Sendable {
  private let handle: KeyHandle

  init(handle: KeyHandle) {
    self.handle = handle
  }

  /// - Parameter pem: a SubjectPublicKeyInfo, `-----BEGIN PUBLIC KEY-----`.
  public init(pem: String) throws(CryptoError) {
    self.handle = try OpenSSL.call { () throws(CryptoError) in
      let key = unsafe OpenSSL.reading(Array(pem.utf8)) { bio in
        unsafe PEM_read_bio_PUBKEY(bio, nil, { _, _, _, _ in -1 }, nil)
      }
      guard let key = unsafe key else {
        throw CryptoError(message: "not a public key in PEM")
      }
      guard let handle = unsafe KeyHandle(owning: key) else {
        throw CryptoError(message: "a public key, but not on the curve P-256")
      }
      return handle
    }
  }

  /// The key as a SubjectPublicKeyInfo in PEM.
  public func pem() throws(CryptoError) -> String {
    let text = OpenSSL.call {
      unsafe OpenSSL.writing { bio in unsafe PEM_write_bio_PUBKEY(bio, handle.pointer) == 1 }
    }
    guard let text else { throw CryptoError(message: "the public key cannot be written") }
    return text
  }

  /// Whether `signature` is this key's ES256 signature over `message`.
  ///
  /// - Parameter signature: r and s as 32 bytes each. Any other length is not a signature. There is
  ///   no guess whether it might be DER instead: "begins with 0x30" is true of one raw signature in
  ///   256.
  public func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
    OpenSSL.call {
      guard let der = RawSignature.der(fromRaw: signature) else { return false }
      guard let context = unsafe EVP_MD_CTX_new() else { return false }
      defer { unsafe EVP_MD_CTX_free(context) }
      guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1
      else { return false }
      return unsafe EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
  }
}
