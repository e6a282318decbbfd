/// Several strings laid out for C: one buffer, and an array of pointers into it.
struct CStrings {
  private var bytes: ContiguousArray<UInt8> = []
  /// Where each string begins; nil is a NULL pointer.
  private var offsets: [Int?] = []

  /// - Parameter terminated: End the array of pointers with NULL.
  init(_ strings: [String?], terminated: Bool = false) {
    bytes.reserveCapacity(strings.reduce(1) { $0 + ($1?.utf8.count ?? 0) + 1 })
    for string in strings {
      guard let string else {
        offsets.append(nil)
        continue
      }
      offsets.append(bytes.count)
      bytes.append(contentsOf: string.utf8)
      bytes.append(0)
    }
    if terminated { offsets.append(nil) }
  }

  func withPointers<Result>(
    _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.assumingMemoryBound(to: CChar.self).baseAddress
      let pointers = unsafe offsets.map { offset in
        unsafe offset.flatMap { offset in unsafe start.map { unsafe $0 + offset } }
      }
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0) }
    }
  }
}
