internal import COpenSSL

/// SHA-256 (FIPS 180-4): the pin of Apple's root, the names of inbox rows and of cached chains.
public enum SHA256 {
  /// The 32 bytes of the digest.
  public static func hash(_ bytes: [UInt8]) -> [UInt8] {
    OpenSSL.call {
      var digest = [UInt8](repeating: 0, count: 32)
      var count: UInt32 = 0
      let done = unsafe EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil)
      // Only a libcrypto without SHA-256 or a machine without memory gets here; a digest of zeros
      // would be taken for an answer.
      precondition(done == 1 && count == 32, "libcrypto refused to compute SHA-256")
      return digest
    }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = hash(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
