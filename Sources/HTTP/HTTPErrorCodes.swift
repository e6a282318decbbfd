import CCurl

extension HTTPError.Kind {
  /// What libcurl's way to fail means for the next attempt.
  init(_ code: CURLcode) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self = .resolve
    case CURLE_COULDNT_CONNECT:
      self = .connect
    case CURLE_OPERATION_TIMEDOUT:
      self = .timeout
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      self = .tls
    case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
      CURLE_PARTIAL_FILE, CURLE_SSL_SHUTDOWN_FAILED:
      self = .connectionLost
    default:
      self = .other
    }
  }
}

extension HTTPError {
  /// For what failed before it was handed to the network.
  static func unsendable(_ message: String) -> HTTPError {
    HTTPError(kind: .other, message: message, mayHaveBeenSent: false)
  }
}
