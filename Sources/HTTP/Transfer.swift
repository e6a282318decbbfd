import CCurl

/// One request on its way: a `CURL` handle of its own, what has come back, and how often the
/// request was about to be written to a connection. Confined to the client's queue.
@safe final class Transfer {
  let handle: UnsafeMutableRawPointer
  let host: String
  let completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void

  private var lines: UnsafeMutablePointer<curl_slist>?
  /// libcurl writes its message here; it must outlive the handle.
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var answer = AnswerReader()
  /// Requests that were about to go over the wire: libcurl resends by itself when a reused
  /// connection dies, and the second is refused.
  private var requests = 0

  /// - Parameter timeout: what is left of the request's own.
  init(_ waiting: Waiting, timeout: Duration, roots: Roots)
    throws(HTTPError)
  {
    guard let handle = unsafe curl_easy_init() else {
      throw .unsendable("libcurl has no memory for another request")
    }
    unsafe self.handle = handle
    host = waiting.host
    completion = waiting.completion
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try checkForControlCharacters(waiting.request)
    let options = unsafe EasyOptions(handle)
    try options.setDefaults(roots)
    try unsafe options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
    try setRequest(options, waiting.request, timeout: timeout)
    try setCallbacks(options)
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
    unsafe errorText.deallocate()
  }

  /// What the caller hears when libcurl has ended the transfer with `code`.
  func result(_ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
    // The answer was complete enough: reading ended at the limit, by our own doing.
    if code == CURLE_OK || (code == CURLE_WRITE_ERROR && answer.isTruncated) {
      var status = 0
      unsafe ccurl_status(handle, &status)
      return .success(answer.response(status: status))
    }
    let refusedSecond = code == CURLE_ABORTED_BY_CALLBACK && requests > 1
    let text = unsafe String(cString: errorText)
    let message =
      refusedSecond
      ? "the connection closed before an answer came"
      : text.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : text
    return .failure(
      HTTPError(
        kind: refusedSecond ? .connectionLost : HTTPError.Kind(code), message: message,
        mayHaveBeenSent: requests > 0))
  }

  func cancelled() -> HTTPError {
    HTTPError(kind: .cancelled, message: "the client was closed", mayHaveBeenSent: requests > 0)
  }

  private func setRequest(_ options: EasyOptions, _ request: HTTPRequest, timeout: Duration)
    throws(HTTPError)
  {
    try options.set(CURLOPT_URL, string: request.url)
    try options.set(CURLOPT_TIMEOUT_MS, long: timeout.wholeMilliseconds)
    try options.set(
      CURLOPT_CONNECTTIMEOUT_MS, long: min(timeout, request.connectTimeout).wholeMilliseconds)
    try options.set(CURLOPT_FRESH_CONNECT, long: request.freshConnection ? 1 : 0)
    try options.setBody(request.body, method: request.method)

    // An empty value takes a header of libcurl's own away.
    try append("Expect:")
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      try append("Content-Type:")
    }
    for header in request.headers { try append("\(header.name): \(header.value)") }
    try unsafe options.check(ccurl_set_list(handle, CURLOPT_HTTPHEADER, lines))
  }

  private func append(_ line: String) throws(HTTPError) {
    guard let longer = unsafe curl_slist_append(lines, line) else {
      throw .unsendable("libcurl has no memory for another header")
    }
    unsafe lines = longer
  }

  private func setCallbacks(_ options: EasyOptions) throws(HTTPError) {
    // Whoever holds the handle in the multi interface holds this object as well.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe options.check(ccurl_set_open_socket(handle, openSocket))
    try unsafe options.set(CURLOPT_PREREQDATA, pointer: context)
    try unsafe options.check(
      ccurl_set_prerequest(handle) { context, _, _, _, _ in
        unsafe Transfer.from(context).mayGoOut() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      })
    try unsafe options.set(CURLOPT_HEADERDATA, pointer: context)
    try unsafe options.check(
      ccurl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
        let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        unsafe Transfer.from(context).answer.addHeaderLine(line)
        return size * count
      })
    try unsafe options.set(CURLOPT_WRITEDATA, pointer: context)
    try unsafe options.check(
      ccurl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe Transfer.from(context).answer.addBody(bytes)
      })
  }

  private func mayGoOut() -> Bool {
    requests += 1
    return requests == 1
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context = unsafe context else { preconditionFailure("libcurl lost its context") }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }
}

/// A line break in a header would be a header of somebody else's choosing.
private func checkForControlCharacters(_ request: HTTPRequest) throws(HTTPError) {
  let texts = [request.method, request.url] + request.headers.flatMap { [$0.name, $0.value] }
  if texts.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7f } }) {
    throw .unsendable("a control character in the method, the address or a header")
  }
}
