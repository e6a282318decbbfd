import AppStore
import Testing

@testable import consumptiond

@Suite("Times for people")
struct HumanTimeTests {
  @Test(
    "durations",
    arguments: [
      (0, "0 s"), (42, "42 s"), (59, "59 s"), (60, "1 min"), (61, "1 min 1 s"), (252, "4 min 12 s"),
      (599, "9 min 59 s"), (600, "10 min"), (3599, "59 min"), (3600, "1 h"),
      (42_120, "11 h 42 min"),
      (86_399, "23 h 59 min"), (86_400, "1 d"), (273_600, "3 d 4 h"), (-180, "3 min"),
      (.min, "106751991167300 d 15 h"),
    ] as [(Int64, String)])
  func duration(seconds: Int64, text: String) {
    #expect(HumanTime.duration(seconds: seconds) == text)
  }

  @Test("what is left")
  func due() {
    #expect(HumanTime.due(inSeconds: 42) == "due in 42 s")
    #expect(HumanTime.due(inSeconds: -180) == "late by 3 min")
    #expect(HumanTime.relative(toSeconds: 42) == "in 42 s")
    #expect(HumanTime.relative(toSeconds: -61) == "1 min 1 s ago")
    #expect(HumanTime.coarse(toSeconds: 119) == "in 1 min")
    #expect(HumanTime.coarse(toSeconds: -7300) == "2 h ago")
  }

  @Test("times are in UTC and say so")
  func utc() {
    #expect(HumanTime.utc("2026-11-30T22:04:41.123456+02:00") == "2026-11-30 20:04:41 UTC")
    #expect(HumanTime.utc("soon") == "soon")
  }
}
