import COpenSSL

/// What a listener needs to speak TLS (1.2 or newer) with one certificate.
///
/// Unchecked because an `SSL_CTX` that nobody changes any more may be shared between threads.
public final class TLSServer: @unchecked Sendable {
  private let context: OpaquePointer

  public init(certificate: Certificate, key: PrivateKey) throws(SimulationError) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw SimulationError("OpenSSL has no memory for a TLS server")
    }
    self.context = context
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    let isReady = certificate.withHandle { SSL_CTX_use_certificate(context, $0) == 1 }
    guard isReady, SSL_CTX_use_PrivateKey(context, key.handle) == 1 else {
      throw SimulationError("OpenSSL did not take the TLS certificate and its key")
    }
  }

  deinit { SSL_CTX_free(context) }

  /// The handshake, blocking.
  func accept(_ descriptor: Int32) throws(SimulationError) -> OpaquePointer {
    ERR_clear_error()
    guard let tls = SSL_new(context) else { throw SimulationError("OpenSSL has no memory") }
    guard SSL_set_fd(tls, descriptor) == 1, SSL_accept(tls) == 1 else {
      SSL_free(tls)
      ERR_clear_error()
      throw SimulationError("the client ended the TLS handshake")
    }
    return tls
  }
}
