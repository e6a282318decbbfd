import COpenSSL
import Glibc

/// An X.509 certificate.
public struct Certificate: Sendable {
  public let der: [UInt8]

  public init(der: [UInt8]) { self.der = der }

  public init(pem: String) throws(SimulationError) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    let memory = BIO_new_mem_buf(pem, Int32(pem.utf8.count))
    defer { BIO_free(memory) }
    guard let handle = PEM_read_bio_X509(memory, nil, nil, nil) else {
      throw SimulationError("not a certificate in PEM")
    }
    defer { X509_free(handle) }
    self.init(der: try encoded(handle))
  }

  public var pem: String { withHandle { handle in writePEM { PEM_write_bio_X509($0, handle) } } }

  func withHandle<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    let handle = der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_X509(nil, &start, bytes.count)
    }
    defer { X509_free(handle) }
    return body(handle)
  }
}

/// What a certificate made here says.
public struct CertificateProfile: Sendable {
  public var commonName: String
  public var isAuthority: Bool
  /// Extensions that are there or not, by OID: Apple marks its certificates with two.
  public var markers: [String] = []
  /// As OpenSSL writes it: "IP:127.0.0.1,DNS:localhost".
  public var alternativeNames: String?
  /// Seconds from now.
  public var validFrom = -86_400 * 400
  public var validFor = 86_400 * 3650

  public init(_ commonName: String, isAuthority: Bool = false, markers: [String] = []) {
    self.commonName = commonName
    self.isAuthority = isAuthority
    self.markers = markers
  }
}

/// Who signs: a certificate's name and its key.
public struct Issuer: Sendable {
  public let certificate: Certificate
  public let key: PrivateKey

  public init(certificate: Certificate, key: PrivateKey) {
    self.certificate = certificate
    self.key = key
  }
}

extension Certificate {
  /// Makes and signs a certificate.
  /// - Parameter issuer: nil signs it by its own key.
  public init(_ profile: CertificateProfile, key: PrivateKey, issuer: Issuer? = nil)
    throws(SimulationError)
  {
    ERR_clear_error()
    defer { ERR_clear_error() }
    let x509 = X509_new()
    defer { X509_free(x509) }
    X509_set_version(x509, 2)
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), .random(in: 1...UInt64(Int64.max)))
    X509_gmtime_adj(X509_getm_notBefore(x509), profile.validFrom)
    X509_gmtime_adj(X509_getm_notAfter(x509), profile.validFor)
    X509_set_pubkey(x509, key.handle)
    let name = X509_get_subject_name(x509)
    for (field, value) in [
      ("CN", profile.commonName), ("O", "consumptiond AppStoreSimulator, NOT APPLE"),
    ] {
      X509_NAME_add_entry_by_txt(name, field, utf8String, value, -1, -1, 0)
    }
    var signed = false
    let sign = { (authority: OpaquePointer?) in
      X509_set_issuer_name(x509, X509_get_subject_name(authority))
      addExtensions(profile, to: x509, authority: authority)
      signed = X509_sign(x509, (issuer?.key ?? key).handle, digest(of: issuer?.key ?? key)) > 0
    }
    if let issuer { issuer.certificate.withHandle(sign) } else { sign(x509) }
    guard signed else { throw SimulationError("OpenSSL did not sign \(profile.commonName)") }
    self.init(der: try encoded(x509))
  }
}

private func encoded(_ x509: OpaquePointer?) throws(SimulationError) -> [UInt8] {
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = i2d_X509(x509, &bytes)
  guard count > 0, let bytes else { throw SimulationError("OpenSSL did not encode it") }
  defer { CRYPTO_free(bytes, #file, #line) }
  return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

/// MBSTRING_UTF8, a macro that Swift does not see through.
private let utf8String: Int32 = 0x1000

/// As Apple does: SHA-384 by the P-384 authorities.
private func digest(of key: PrivateKey) -> OpaquePointer? {
  EVP_PKEY_get_bits(key.handle) == 384 ? EVP_sha384() : EVP_sha256()
}

private func addExtensions(
  _ profile: CertificateProfile, to x509: OpaquePointer?, authority: OpaquePointer?
) {
  var context = X509V3_CTX()
  X509V3_set_ctx(&context, authority, x509, nil, nil, 0)
  func add(_ nid: Int32, _ value: String) {
    let part = X509V3_EXT_conf_nid(nil, &context, nid, value)
    X509_add_ext(x509, part, -1)
    X509_EXTENSION_free(part)
  }
  add(NID_basic_constraints, profile.isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE")
  add(
    NID_key_usage,
    profile.isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature")
  add(NID_subject_key_identifier, "hash")
  add(NID_authority_key_identifier, "keyid")
  if let names = profile.alternativeNames { add(NID_subject_alt_name, names) }
  for oid in profile.markers {
    let object = OBJ_txt2obj(oid, 1)
    let null: [UInt8] = [5, 0]
    let value = ASN1_OCTET_STRING_new()
    ASN1_OCTET_STRING_set(value, null, 2)
    let part = X509_EXTENSION_create_by_OBJ(nil, object, 0, value)
    X509_add_ext(x509, part, -1)
    X509_EXTENSION_free(part)
    ASN1_OCTET_STRING_free(value)
    ASN1_OBJECT_free(object)
  }
}
