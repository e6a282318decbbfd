internal import COpenSSL

/// One X.509 certificate, parsed.
///
/// `@unchecked Sendable`: the pointer never changes; libcrypto fills the certificate's extension
/// cache under a lock of its own.
@safe
final class Certificate: @unchecked Sendable {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  /// - Parameter der: one certificate and not a byte behind it.
  init?(der: [UInt8]) {
    let parsed = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var position = buffer.baseAddress
      guard let certificate = unsafe d2i_X509(nil, &position, buffer.count) else { return nil }
      let end = unsafe buffer.baseAddress.map { unsafe $0 + buffer.count }
      guard unsafe position == end else {
        unsafe X509_free(certificate)
        return nil
      }
      return unsafe certificate
    }
    guard let parsed = unsafe parsed else { return nil }
    unsafe self.pointer = parsed
  }

  deinit {
    unsafe X509_free(pointer)
  }

  /// Whether an extension with this object identifier is present. Apple's markers hold nothing
  /// but a null, so presence is all there is to ask.
  func hasExtension(_ identifier: String) -> Bool {
    guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return false }
    defer { unsafe ASN1_OBJECT_free(object) }
    return unsafe X509_get_ext_by_OBJ(pointer, object, -1) >= 0
  }

  /// Whether it may issue certificates. Basic constraints must say so; libcrypto's weaker answers
  /// (version 1, key usage or Netscape's extension alone) are not enough.
  var mayIssue: Bool {
    unsafe X509_check_ca(pointer) == 1
  }

  /// Basic constraints call it an authority, whatever its key usage says.
  var claimsAuthority: Bool {
    flags & UInt32(EXFLAG_CA) != 0
  }

  var isSelfIssued: Bool {
    flags & UInt32(EXFLAG_SS) != 0
  }

  /// A certificate without the extension may be used for everything (RFC 5280, section 4.2.1.3).
  func allows(keyUsage: Int32) -> Bool {
    unsafe X509_get_key_usage(pointer) & UInt32(keyUsage) != 0
  }

  /// An extension that cannot be read, or a critical one that libcrypto does not know.
  var hasUnusableExtensions: Bool {
    flags & UInt32(EXFLAG_INVALID | EXFLAG_CRITICAL) != 0
  }

  private var flags: UInt32 { unsafe X509_get_extension_flags(pointer) }

  /// The key, when it lies on P-256.
  var p256Key: KeyHandle? {
    guard let key = unsafe X509_get_pubkey(pointer) else { return nil }
    return unsafe KeyHandle(owning: key)
  }

  /// The first and last millisecond of validity since 1970; nil for times that make no sense.
  var validity: ClosedRange<Int64>? {
    guard
      let first = unsafe Self.seconds(X509_get0_notBefore(pointer)),
      let last = unsafe Self.seconds(X509_get0_notAfter(pointer)),
      first <= last
    else { return nil }
    // `notAfter` is a whole second that still belongs to the validity (RFC 5280, section 4.1.2.5).
    return (first * 1000)...(last * 1000 + 999)
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
    defer { unsafe ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Int64(days) * 86_400 + Int64(seconds)
  }
}
