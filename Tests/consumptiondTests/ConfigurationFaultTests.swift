import Testing

@testable import consumptiond

@Suite("Configuration faults") struct ConfigurationFaultTests {
  @Test(
    "each mistake ends in one line that names its key",
    arguments: Fault.brokenTop + Fault.brokenBlocks)
  func broken(_ fault: Fault) throws {
    try #require(fault.text != "", "the sample does not hold \(fault.old)")
    let found = try ConfigurationFixture(fault.text).fault()
    #expect(found == "consumptiond.json: " + fault.line)
  }

  @Test("what is not built yet is refused by name", arguments: Fault.notBuiltYet)
  func notBuiltYet(_ fault: Fault) throws {
    try #require(fault.text != "", "the sample does not hold \(fault.old)")
    #expect(fault.line.contains(": not built yet"))
    let found = try ConfigurationFixture(fault.text).fault()
    #expect(found == "consumptiond.json: " + fault.line)
  }
}
