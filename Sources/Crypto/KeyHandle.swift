internal import COpenSSL

/// An `EVP_PKEY` on the curve P-256, freed with the last copy of the key that holds it.
///
/// `@unchecked Sendable`: the pointer never changes and the key behind it is never modified;
/// libcrypto guards the caches that it keeps inside with locks of its own.
@safe
final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes ownership of `pointer`; nil, and the key is freed, when it is not a P-256 key.
  init?(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
    // A key with explicit parameters has no group name, so a curve that only looks like P-256
    // (CVE-2020-0601) is refused too.
    guard unsafe KeyHandle.groupName(of: pointer) == "prime256v1" else { return nil }
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  private static func groupName(of key: OpaquePointer) -> String? {
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return nil }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
    return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
