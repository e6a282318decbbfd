import FoundationEssentials
import Testing

@testable import consumptiond

@Suite("Configuration files as a whole") struct ConfigurationTextTests {
  @Test(
    "what is no object, or an empty one",
    arguments: [
      ("", "line 1, column 1: found the end of the file, expected a value"),
      ("[]", "found a list, expected an object with mode, instance, database, "),
      ("{}", "mode: found nothing, expected \"observe\" or \"answer\""),
      ("{ mode: 'answer' }", "apps: found nothing, expected a list of apps"),
      ("{ mode: 'answer', apps: {} }", "apps: found an object, expected a list of apps"),
      ("{ mode: 'answer', apps: [] }", "apps: found an empty list, expected a list of apps"),
      ("{ mode: 'answer', apps: [1] }", "apps[0]: found 1, expected an object with bundleId, "),
      ("{} {}", "line 1, column 4: found '{', expected the end of the file"),
      ("{ 1a: 2 }", "line 1, column 5: found ':', expected a key or '}'"),
      ("{ 'm\\u006fde': 1 }", "line 1, column 5: found '\\', expected a key without escapes"),
      (
        "{ a: 'x\ny' }", "line 1, column 8: found the end of the line, expected the end of a string"
      ),
      (
        String(repeating: "[", count: 100_000),
        "line 1, column 65: found '[', expected less nesting"
      ),
    ])
  func text(_ text: String, line: String) throws {
    let found = try #require(try ConfigurationFixture(text).fault())
    #expect(found.hasPrefix("consumptiond.json: " + line))
    #expect(!found.contains("\n"))
  }

  @Test("bytes that are no text") func bytes() throws {
    let fixture = try ConfigurationFixture()
    try Data([0x7B, 0xFF, 0x7D]).write(to: URL(filePath: fixture.file))
    #expect(
      fixture.fault() == "consumptiond.json: found bytes that are not UTF-8, expected text")
  }

  @Test("a file that is not there") func missing() throws {
    #expect(throws: ConfigurationError(file: "/none.json", path: "", problem: "no such file")) {
      try ConfigurationFile.load("/none.json", environment: [:])
    }
  }

  @Test(
    "JSON5 that is well written",
    arguments: [
      "\u{FEFF}{a:1}", "{a:1,}", "{'a':[1,],}", "// c\n{/* c */\"a\":.5}",
      "{$a_1: +1e5, é: 'x\\'y'}",
      "{a: 'x\\\ny', b: 'x\\\r\ny'}", "[true, false, null, -5., \"\\u0041\"]\n// end",
      "[[[{}]]]", "0.00000000000000000000000000000000000000001",
    ])
  func wellWritten(_ text: String) {
    #expect(throws: Never.self) { try JSON5Locator.check(text) }
  }

  @Test("a value from elsewhere is never shown") func secrets() throws {
    let text = ConfigurationFixture.sample
      .replacing("decideBy: \"30m\"", with: "decideBy: { env: \"SECRET\" }")
    let line = try ConfigurationFixture(text).fault(["SECRET": "s3cret"])
    #expect(
      line == "consumptiond.json: deadline.decideBy: found what the environment variable SECRET "
        + "holds, expected a duration such as \"15s\", \"30m\", \"6h\" or \"7d\"")
    let key = ConfigurationFixture.sample
      .replacing("keyId: \"2X9R4HXF34\"", with: "keyId: { file: \"keys/AuthKey.p8\" }")
    #expect(try ConfigurationFixture(key).fault()?.contains("BEGIN") == false)
  }

  @Test(
    "A-31: hosts that nothing leaves the machine for",
    arguments: [
      ("http://127.0.0.1:8080", true), ("http://localhost", true), ("http://[::1]:80/", true),
      ("http://127.1.2.3", true), ("http://127.0.0.1.example.com", false),
      ("http://10.0.0.1", false),
      ("https://example.com", false),
    ])
  func loopback(text: String, isLoopback: Bool) throws {
    #expect(try #require(EndpointURL(text)).isLoopback == isLoopback)
  }

  @Test(
    "what is no URL of a host",
    arguments: [
      "", "127.0.0.1", "http://", "http://:80", "http://a:0", "http://a:x", "http://a:65536",
      "http://u@a", "http://a/b", "http://a?b", "http://[::1", "http://a b", "HTTP://a",
      "http://a:",
    ])
  func noURL(text: String) {
    #expect(EndpointURL(text) == nil)
  }
}
