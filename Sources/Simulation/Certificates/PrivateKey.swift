import COpenSSL

/// An elliptic-curve private key for certificates made here. `Crypto`'s keys are P-256 only; the
/// authorities of Apple's chain are P-384.
///
/// Unchecked because the handle is never changed, and OpenSSL counts its references atomically.
public final class PrivateKey: @unchecked Sendable {
  public enum Curve: Sendable { case p256, p384 }

  let handle: OpaquePointer

  public init(_ curve: Curve) throws(SimulationError) {
    ERR_clear_error()
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    let nid = curve == .p256 ? NID_X9_62_prime256v1 : NID_secp384r1
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, nid) == 1,
      EVP_PKEY_keygen(context, &key) == 1, let key
    else { throw SimulationError("OpenSSL made no key") }
    handle = key
  }

  public init(pem: String) throws(SimulationError) {
    ERR_clear_error()
    let memory = BIO_new_mem_buf(pem, Int32(pem.utf8.count))
    defer { BIO_free(memory) }
    guard let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else {
      ERR_clear_error()
      throw SimulationError("not a private key in PEM")
    }
    handle = key
  }

  deinit { EVP_PKEY_free(handle) }

  /// PKCS #8.
  public var pem: String {
    writePEM { PEM_write_bio_PKCS8PrivateKey($0, handle, nil, nil, 0, nil, nil) }
  }

  /// SubjectPublicKeyInfo.
  public var publicPEM: String { writePEM { PEM_write_bio_PUBKEY($0, handle) } }
}

/// What a function of OpenSSL writes into a BIO, as text.
func writePEM(_ write: (OpaquePointer?) -> Int32) -> String {
  let memory = BIO_new(BIO_s_mem())
  defer { BIO_free(memory) }
  guard write(memory) == 1 else { return "" }
  var buffer = [UInt8](repeating: 0, count: 16 * 1024)
  let count = BIO_read(memory, &buffer, Int32(buffer.count))
  return String(decoding: buffer.prefix(Int(max(0, count))), as: UTF8.self)
}
