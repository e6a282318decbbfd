internal import COpenSSL

/// RFC 5280's path validation by libcrypto: signatures, names, CA constraints, path lengths, key
/// usage, name constraints and critical extensions, all but the time.
enum PathValidation {
  /// Signatures weaker than 112 bits (SHA-1, small keys) do not count: OpenSSL's level 2.
  private static let securityLevel: Int32 = 2

  /// - Parameter roots: the only certificates that are trusted. The intermediate is a candidate for
  ///   the path and no source of trust. Each root is tried alone: among several of one name, as
  ///   after a change of keys, libcrypto would settle for the first.
  /// - Returns: the one of `roots` that the path leaf, intermediate, root ends in.
  static func root(
    leaf: Certificate, intermediate: Certificate, roots: [Certificate]
  ) throws(CertificateChainError) -> Certificate {
    var failure = CertificateChainError("no root certificate")
    for root in roots {
      do {
        try validate(leaf: leaf, intermediate: intermediate, root: root)
        return root
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func validate(
    leaf: Certificate, intermediate: Certificate, root: Certificate
  ) throws(CertificateChainError) {
    let store = unsafe X509_STORE_new()
    let untrusted = unsafe OPENSSL_sk_new_null()
    let context = unsafe X509_STORE_CTX_new()
    defer {
      unsafe X509_STORE_CTX_free(context)
      unsafe OPENSSL_sk_free(untrusted)
      unsafe X509_STORE_free(store)
    }
    unsafe X509_STORE_add_cert(store, root.pointer)
    unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer(intermediate.pointer))
    guard unsafe X509_STORE_CTX_init(context, store, leaf.pointer, untrusted) == 1 else {
      throw CertificateChainError("out of memory")
    }
    let parameters = unsafe X509_STORE_CTX_get0_param(context)
    unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
    unsafe X509_VERIFY_PARAM_set_depth(parameters, 1)
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, securityLevel)
    guard unsafe X509_verify_cert(context) == 1 else {
      throw CertificateChainError(unsafe message(X509_STORE_CTX_get_error(context)))
    }
    // A leaf that a root issued directly verifies too; but then the intermediate proves nothing.
    let path = unsafe X509_STORE_CTX_get0_chain(context)
    guard
      unsafe OPENSSL_sk_num(path) == 3,
      let second = unsafe OPENSSL_sk_value(path, 1),
      unsafe X509_cmp(OpaquePointer(second), intermediate.pointer) == 0
    else { throw CertificateChainError("the certificates do not form one path") }
  }

  private static func message(_ code: Int32) -> String {
    guard let text = unsafe X509_verify_cert_error_string(Int(code)) else {
      return "the path does not hold"
    }
    return unsafe String(cString: text)
  }
}
