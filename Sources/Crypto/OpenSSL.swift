internal import COpenSSL

/// The one way into libcrypto.
///
/// OpenSSL keeps its errors in a queue that belongs to the thread. What a rejected signature leaves
/// there is read by the next TLS call of libpq or libcurl on the same thread, which then drops a
/// healthy connection. So the queue is emptied before and after everything that we do.
enum OpenSSL {
  static func call<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
  }

  /// Lets `body` read `bytes` through a memory BIO, which borrows them for that long.
  static func reading<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
    guard let count = Int32(exactly: bytes.count), count > 0 else { return nil }
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, count) else { return nil }
      defer { unsafe BIO_free(bio) }
      return unsafe body(bio)
    }
  }

  /// What `body` wrote into a memory BIO, as text.
  static func writing(_ body: (OpaquePointer) -> Bool) -> String? {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { return nil }
    defer { unsafe BIO_free(bio) }
    guard unsafe body(bio) else { return nil }
    var data: UnsafeMutablePointer<CChar>?
    let count = unsafe consumptiond_BIO_get_mem_data(bio, &data)
    guard let start = unsafe data, count > 0 else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe String(validating: bytes, as: UTF8.self)
  }
}
