import AppStore
import Testing

@Suite struct InstantTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999999Z", -1),
      ("2026-11-30T20:04:41.123456Z", 1_796_069_081_123_456),
      ("2000-02-29T00:00:00Z", 951_782_400_000_000),
      ("2024-12-31T23:59:59Z", 1_735_689_599_000_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("2026-01-01T00:00:00.5Z", 1_767_225_600_500_000),
    ] as [(String, Int64)])
  func `ISO 8601 in both directions`(text: String, microseconds: Int64) {
    #expect(Instant(microseconds: microseconds).iso8601 == text)
    #expect(Instant(iso8601: text) == Instant(microseconds: microseconds))
  }

  @Test func `Every day of four centuries comes back as itself`() {
    for day in stride(from: -73_000 as Int64, to: 73_000, by: 1) {
      let instant = Instant(microseconds: day * 86_400_000_000 + 1)
      #expect(Instant(iso8601: instant.iso8601) == instant)
    }
  }

  @Test(arguments: [
    "2026-11-30 20:04:41.123456+00", "2026-11-30T20:04:41.123456Z",
    "2026-11-30 22:04:41.123456+02", "2026-11-30 14:34:41.123456-05:30",
    "2026-11-30T20:04:41.123456789Z",
  ])
  func `What PostgreSQL prints, and other zones`(text: String) {
    #expect(Instant(iso8601: text) == Instant(microseconds: 1_796_069_081_123_456))
  }

  @Test(arguments: [
    "", "infinity", "2026-11-30", "2026-11-30 20:04:41", "2026-02-29 00:00:00Z",
    "2026-13-01 00:00:00Z", "2026-00-01 00:00:00Z", "2026-11-31 00:00:00Z",
    "2026-11-30 25:00:00Z", "2026-11-30 20:60:00Z", "2026-11-30 20:04:41.Z",
    "2026-11-30 20:04:41ZZ", "2026-11-30 20:04:41+1", "2026-11-30 20:04:41 Z",
    "0044-03-15 00:00:00+00 BC", "20261-11-30 20:04:41Z",
  ])
  func `What is no instant`(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test func `Arithmetic is exact and stops at the ends`() {
    let instant = Instant(milliseconds: 1_790_000_000_000)
    #expect(instant + .microseconds(1) - .microseconds(1) == instant)
    #expect(instant + .seconds(43_200) - instant == .seconds(43_200))
    #expect(instant - (instant + .seconds(5)) == .seconds(-5))
    let last = Instant(microseconds: .max)
    #expect(last + .seconds(1) == last)
    #expect(Instant(microseconds: .min) - .seconds(1) == Instant(microseconds: .min))
    #expect(Instant(milliseconds: .max) == last)
    #expect(last - Instant(microseconds: .min) > .seconds(0))
    #expect(instant + .seconds(Int64.max) == last)
  }

  @Test func `Milliseconds and seconds are rounded down`() {
    #expect(Instant(microseconds: 1999).milliseconds == 1)
    #expect(Instant(microseconds: -1).milliseconds == -1)
    #expect(Instant(microseconds: 1_999_999).seconds == 1)
    #expect(Instant(microseconds: -1).seconds == -1)
  }
}
