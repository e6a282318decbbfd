/// When Apple wants to be asked again.
///
/// Apple's `Retry-After` is an absolute time in milliseconds. Generic readers take it for seconds
/// and sleep for millennia, or overflow and ask again at once. A proxy's may be seconds from now.
public struct RetryAfter: Sendable, Equatable {
  public let instant: Instant

  public init(instant: Instant) {
    self.instant = instant
  }

  /// More than 10^11 is milliseconds since 1970, less is seconds from `now`; everything else (a
  /// date, a sign, a fraction, a number out of range) is no answer: nil. Deadlines are for the
  /// caller to keep.
  public init?(header: String, now: Instant) {
    let text = header.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    let digits = text.prefix { (0x30...0x39).contains($0) }
    guard
      !digits.isEmpty,
      text.dropFirst(digits.count).allSatisfy({ $0 == 0x20 || $0 == 0x09 }),
      let value = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let latest: Int64 = 253_402_300_799_999
    if value > 100_000_000_000 {
      guard value <= latest else { return nil }
      instant = Instant(milliseconds: value)
    } else {
      instant = now + .seconds(value)
    }
  }
}
