internal import COpenSSL

/// A private key on the curve P-256: Apple's "In-App Purchase key", which signs the tokens of the
/// App Store Server API.
///
/// Neither its description nor any error shows its bytes.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let handle: KeyHandle

  /// - Parameter pem: what Apple's `.p8` file holds, PKCS#8 in PEM.
  /// - Throws: a message that says what the file is instead.
  public init(pem: String) throws(CryptoError) {
    self.handle = try OpenSSL.call { () throws(CryptoError) in
      if pem.contains("BEGIN ENCRYPTED PRIVATE KEY") {
        throw CryptoError(
          message: "an encrypted private key; a .p8 file of Apple's is not encrypted")
      }
      // Without a callback of ours libcrypto would ask for a pass phrase on the terminal.
      let key = unsafe OpenSSL.reading(Array(pem.utf8)) { bio in
        unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
      }
      guard let key = unsafe key else {
        let found = pem.contains("BEGIN PUBLIC KEY") ? "a public key" : "not a private key in PEM"
        throw CryptoError(message: "\(found); expected the .p8 file of an In-App Purchase key")
      }
      guard let handle = unsafe KeyHandle(owning: key) else {
        throw CryptoError(
          message: "a private key, but not on the curve P-256; expected an In-App Purchase key")
      }
      return handle
    }
  }

  /// A fresh key, for a simulated App Store and for tests.
  public init() {
    let handle = OpenSSL.call { () -> KeyHandle? in
      guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard
        unsafe EVP_PKEY_keygen_init(context) == 1,
        unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
        unsafe EVP_PKEY_generate(context, &key) == 1,
        let key = unsafe key
      else { return nil }
      return unsafe KeyHandle(owning: key)
    }
    guard let handle else {
      // No entropy or no memory: nothing that a caller could do differently.
      preconditionFailure("libcrypto cannot make a P-256 key")
    }
    self.handle = handle
  }

  /// ES256 over `message`.
  ///
  /// - Returns: exactly 64 bytes, r then s.
  public func signature(over message: [UInt8]) throws(CryptoError) -> [UInt8] {
    let raw = OpenSSL.call { () -> [UInt8]? in
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      defer { unsafe EVP_MD_CTX_free(context) }
      guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1
      else { return nil }
      var count = Int(unsafe EVP_PKEY_get_size(handle.pointer))
      var der = [UInt8](repeating: 0, count: count)
      guard unsafe EVP_DigestSign(context, &der, &count, message, message.count) == 1
      else { return nil }
      return RawSignature.raw(fromDER: Array(der.prefix(count)))
    }
    guard let raw else { throw CryptoError(message: "libcrypto could not sign") }
    return raw
  }

  public var publicKey: VerifyingKey {
    VerifyingKey(handle: handle)
  }

  /// The key as unencrypted PKCS#8 in PEM, the format of Apple's `.p8` files.
  public func pem() throws(CryptoError) -> String {
    let text = OpenSSL.call {
      unsafe OpenSSL.writing { bio in
        unsafe PEM_write_bio_PKCS8PrivateKey(bio, handle.pointer, nil, nil, 0, nil, nil) == 1
      }
    }
    guard let text else { throw CryptoError(message: "the private key cannot be written") }
    return text
  }

  public var description: String { "a P-256 private key" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
