import CCurl

/// Whom TLS trusts.
struct Roots: Sendable {
  /// nil: what libcurl was built with, the system's bundle.
  let file: String?
  /// How long a parsed file is used before it is read again.
  let kept: Duration
}

/// Sets options of one `CURL` handle and turns each refusal into an error: an option that
/// silently did not take could be the one that verifies the server.
@safe struct EasyOptions {
  private let handle: UnsafeMutableRawPointer

  init(_ handle: UnsafeMutableRawPointer) { unsafe self.handle = handle }

  /// What holds for every request.
  func setDefaults(_ roots: Roots) throws(HTTPError) {
    try unsafe check(ccurl_allow_http_only(handle))
    try set(CURLOPT_HTTP_VERSION, long: CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_FOLLOWLOCATION, long: 0)
    try set(CURLOPT_PROXY, string: "")
    try set(CURLOPT_NETRC, long: Int(CURL_NETRC_IGNORED.rawValue))
    try set(CURLOPT_DISALLOW_USERNAME_IN_URL, long: 1)
    // Signals are the process's; and timeouts by SIGALRM end other threads' calls.
    try set(CURLOPT_NOSIGNAL, long: 1)
    // Below the keep-alive of common servers: a connection that the other side is about to close
    // would take the request with it.
    try set(CURLOPT_MAXAGE_CONN, long: 15)
    try set(CURLOPT_DNS_CACHE_TIMEOUT, long: 30)

    try set(CURLOPT_SSL_VERIFYPEER, long: 1)
    try set(CURLOPT_SSL_VERIFYHOST, long: 2)
    try set(CURLOPT_SSLVERSION, long: CURL_SSLVERSION_TLSv1_2)
    // With a directory of certificates libcurl would parse the whole bundle for each connection:
    // 30 ms of this queue.
    try set(CURLOPT_CAPATH, string: nil)
    if let file = roots.file { try set(CURLOPT_CAINFO, string: file) }
    // A day by default: a replaced bundle would not be seen.
    try unsafe check(ccurl_set_ca_cache_timeout(handle, Int(roots.kept.components.seconds)))
  }

  /// The body with its size, so that it is never sent in chunks.
  func setBody(_ body: [UInt8], method: String) throws(HTTPError) {
    if body.isEmpty && method == "HEAD" { return try set(CURLOPT_NOBODY, long: 1) }
    if !body.isEmpty || method == "POST" || method == "PUT" || method == "PATCH" {
      // The size first: without it the copy would end at a zero byte.
      try unsafe check(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count)))
      let code = unsafe body.withUnsafeBytes { bytes in
        // An empty array may have no address, and without one libcurl would read from stdin.
        let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(handle)
        return unsafe ccurl_set_pointer(
          handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
      }
      try check(code)
    }
    try set(CURLOPT_CUSTOMREQUEST, string: method)
  }

  func set(_ option: CURLoption, long value: Int) throws(HTTPError) {
    try unsafe check(ccurl_set_long(handle, option, value))
  }

  func set(_ option: CURLoption, string value: String?) throws(HTTPError) {
    try unsafe check(ccurl_set_string(handle, option, value))
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(HTTPError) {
    try unsafe check(ccurl_set_pointer(handle, option, value))
  }

  func check(_ code: CURLcode) throws(HTTPError) {
    if code != CURLE_OK {
      throw .unsendable(unsafe String(cString: curl_easy_strerror(code)))
    }
  }
}

extension Duration {
  /// Rounded up: zero would mean "no limit" to libcurl.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int(max(1, milliseconds))
  }
}
