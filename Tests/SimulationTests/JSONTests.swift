import Testing

@testable import Simulation

@Suite("The stand-in's own JSON")
struct JSONTests {
  @Test(
    "what is read is written again, in its order",
    arguments: [
      #"{"b":1,"a":[true,false,null,{}],"c":"é \"x\" \\ \u0001"}"#, "-0.5e+10", "[]", #""""#,
    ])
  func roundTrip(text: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).text == text)
  }

  @Test("escapes")
  func escapes() throws {
    let value = try JSONReader.read(Array(#""A\n\/😀""#.utf8))
    #expect(value == "A\n/😀")
  }

  @Test(
    "refused",
    arguments: [
      "", "tru", "[1,]", "{\"a\"}", "{\"a\":1,\"a\":2}", "01", "1.", ".5", "+1", "1e", "\"",
      "\"\\x\"",
      #""\ud800""#, "[1] 2", "{a:1}", "\"\t\"", "NaN",
    ])
  func refused(text: String) {
    #expect(throws: JSONProblem.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test("nesting is bounded")
  func nesting() {
    let deep = String(repeating: "[", count: 10_000)
    #expect(throws: JSONProblem(message: "nested too deeply")) {
      try JSONReader.read(Array(deep.utf8))
    }
  }
}
