import FoundationEssentials
import Testing

@testable import AppStore

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws(JSONError) -> JSON {
    try JSONParser.parse(Array(text.utf8))
  }

  @Test func `Values`() throws {
    #expect(
      try parse(" {\"a\" : [ 1 , true,false,null , \"x\" ] } ")
        == .object(["a": .array([.number("1"), .bool(true), .bool(false), .null, .string("x")])]))
    #expect(try parse("{}") == .object([:]))
    #expect(try parse("[]") == .array([]))
    #expect(
      try parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00é😀\"")
        == .string("\"\\/\u{8}\u{C}\n\r\té😀é😀"))
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "[1,]", "[,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
    "{'a':1}", "{\"a\":1 \"b\":2}", "tru", "nulll", "TRUE", "NaN", "Infinity", "-", "+1", "01",
    "1.",
    ".5", "1e", "1e+", "0x1", "--1", "1 2", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\\udc00\"", "\"a\nb\"", "// x\n1",
    "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "\u{FEFF}{}", "\"\\u0000\"", "{}x", "[1]]",
  ])
  func `E-15: What is not JSON, or JSON with two meanings`(text: String) {
    #expect(throws: JSONError.self) { try parse(text) }
  }

  @Test func `E-15: Bytes that are not UTF-8`() {
    for bytes in [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80],
    ] {
      #expect(throws: JSONError.self) {
        try JSONParser.parse([0x22] + bytes.map { UInt8($0) } + [0x22])
      }
    }
  }

  @Test func `E-15: Nesting ends at 64`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    _ = try parse(nested(64))
    #expect(throws: JSONError(message: "nested too deeply", offset: 64)) { try parse(nested(65)) }
    #expect(throws: JSONError.self) { try parse(nested(2_000_000)) }
    #expect(throws: JSONError.self) { try parse(String(repeating: "{\"a\":", count: 1_000_000)) }
  }

  @Test func `E-15: Numbers are exact or nothing`() throws {
    #expect(try parse("9223372036854775807").int64 == .max)
    #expect(try parse("-9223372036854775808").int64 == .min)
    for text in ["9223372036854775808", "1e308", "1e999", "1.0", "1e3", "\"5\"", "true", "null"] {
      #expect(try parse(text).int64 == nil)
    }
    #expect(try parse("9007199254740993").int64 == 9_007_199_254_740_993)
  }

  @Test func `Dates may have a fraction, and lie between 1970 and 9999`() throws {
    #expect(try parse("1788963200000").instant == Instant(milliseconds: 1_788_963_200_000))
    #expect(
      try parse("1788963200000.7297").instant == Instant(microseconds: 1_788_963_200_000_730))
    #expect(try parse("1.788963200000e12").instant == Instant(milliseconds: 1_788_963_200_000))
    for text in ["-1", "1e308", "1e999", "253402300800000", "9223372036854775808", "\"1\""] {
      #expect(try parse(text).instant == nil)
    }
  }

  @Test func `Quoting is undone by parsing`() throws {
    for text in ["", "a\"b\\c", "\n\t\u{1}\u{7F}", "é😀", "</script>"] {
      #expect(try parse(JSON.quoted(text)) == .string(text))
    }
  }

  @Test func `What Foundation reads as JSON reads the same here`() throws {
    let text = "{\"a\":\"\\u00e9\\n\",\"b\":[1,2.5,-3e2],\"c\":{\"d\":null,\"e\":true}}"
    struct Document: Decodable {
      let a: String
      let b: [Double]
    }
    let theirs = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    let ours = try parse(text)
    #expect(ours["a"]?.string == theirs.a)
    #expect(ours["b"]?.array?.count == theirs.b.count)
    #expect(ours["c"]?["d"] == nil && ours["c"]?["e"]?.bool == true)
  }
}
