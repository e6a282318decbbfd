import Testing

@testable import Daemon

@Suite("Permits")
struct PermitsTests {
  @Test("no more than there are, and no more than asked for")
  func limits() {
    let permits = Permits(5)
    #expect(permits.take(upTo: 3) {} == 3)
    #expect(permits.take(upTo: 3) {} == 2)
    #expect(permits.take(upTo: 3) {} == 0)
    permits.give(5)
    #expect(permits.available == 5)
  }

  @Test("who was refused is called once when permits are free again, and nobody else")
  func refused() {
    let permits = Permits(2)
    let calls = Locked<[String]>([])
    #expect(permits.take(upTo: 2) { calls.withLock { $0.append("first") } } == 2)
    #expect(permits.take(upTo: 2) { calls.withLock { $0.append("second") } } == 0)
    permits.give(1)
    #expect(calls.withLock { $0 } == ["second"])
    permits.give(1)
    #expect(calls.withLock { $0 } == ["second"])
  }

  @Test("two who find nothing to do fall asleep")
  func asleep() {
    let permits = Permits(1)
    let lanes = Locked<[String]>([])
    let wake = { @Sendable (name: String) in lanes.withLock { $0.append(name) } }
    // One holds the permit when the other comes; then each that was called takes and gives.
    #expect(permits.take(upTo: 1) { wake("one") } == 1)
    #expect(permits.take(upTo: 1) { wake("two") } == 0)
    permits.give(1)
    var turns = 0
    while let name = lanes.withLock({ $0.isEmpty ? nil : $0.removeFirst() }), turns < 10 {
      turns += 1
      permits.give(permits.take(upTo: 1) { wake(name) })
    }
    #expect(turns == 1)
  }
}
