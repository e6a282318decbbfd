internal import COpenSSL

/// The two encodings of an ECDSA signature: raw (r then s, 32 bytes each) as JWS wants it, and the
/// DER sequence that libcrypto reads and writes.
enum RawSignature {
  static let count = 64

  /// - Returns: nil when `raw` is not exactly 64 bytes. Whether r and s lie in range is for the
  ///   verification to say.
  static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
    guard raw.count == count, let signature = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    let half = Int32(count / 2)
    guard let r = unsafe BN_bin2bn(Array(raw.prefix(count / 2)), half, nil) else { return nil }
    guard let s = unsafe BN_bin2bn(Array(raw.suffix(count / 2)), half, nil) else {
      unsafe BN_free(r)
      return nil
    }
    // From here on the signature owns both numbers.
    guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      return nil
    }
    let length = unsafe i2d_ECDSA_SIG(signature, nil)
    guard length > 0 else { return nil }
    var der = [UInt8](repeating: 0, count: Int(length))
    let written = unsafe der.withUnsafeMutableBufferPointer { buffer in
      var end = buffer.baseAddress
      return unsafe i2d_ECDSA_SIG(signature, &end)
    }
    return written == length ? der : nil
  }

  /// Both numbers padded to 32 bytes: one signature in 128 has a shorter one, and an API that is
  /// sent 63 bytes answers 401.
  static func raw(fromDER der: [UInt8]) -> [UInt8]? {
    let signature = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, buffer.count)
    }
    guard let signature = unsafe signature else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    let half = count / 2
    var r = [UInt8](repeating: 0, count: half)
    var s = [UInt8](repeating: 0, count: half)
    guard
      unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, Int32(half)) == Int32(half),
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, Int32(half)) == Int32(half)
    else { return nil }
    return r + s
  }
}
