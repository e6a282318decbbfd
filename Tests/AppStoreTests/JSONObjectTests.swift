import Dispatch
import Testing

@testable import AppStore

@Suite struct JSONObjectTests {
  private func read(_ value: String) throws -> JSONObject {
    try #require(JSONObject("{\"a\":\(value),\"b\":1}"))
  }

  @Test func `Values`() throws {
    let json = try #require(
      JSONObject(
        " {\"s\" : \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00é😀\", \"t\":true,\"f\":false,"
          + "\"n\":null,\"i\":-7,\"o\":{\"x\":[\"1\",\"2\"]}}\n"))
    #expect(json.string("s") == "\"\\/\u{8}\u{C}\n\r\té😀é😀")
    #expect(json.bool("t") == true && json.bool("f") == false)
    #expect(json.int("i") == -7 && json.int64("i") == -7)
    #expect(json.object("o")?.strings("x") == ["1", "2"])
    #expect(Set(json.names) == ["s", "t", "f", "n", "i", "o"])
    #expect(json.isPresent("f") && !json.isPresent("n") && !json.isPresent("z"))
    #expect(json.object("z") == nil && json.object("n") == nil && json.object("s") == nil)
  }

  @Test(arguments: [
    "", " ", "{", "[]", "7", "null", "\"text\"", "{\"a\"}", "{\"a\":}", "{a:1}", "{'a':1}",
    "{\"a\":1 \"b\":2}", "{\"a\":tru}", "{\"a\":nulll}", "{\"a\":TRUE}", "{\"a\":NaN}",
    "{\"a\":Infinity}", "{\"a\":+1}", "{\"a\":0x1}", "{\"a\":1 2}", "{\"a\":\"}", "{\"a\":\"\\",
    "{} x", "{}]", "{}\u{0}", "{\"a\":\"\u{0}\"}", "\u{FEFF}{}", "{\u{0}\"\u{0}a\u{0}",
    "{\"\\ud800\":1}", "// x\n{}",
  ])
  func `E-15: What is no JSON object`(text: String) {
    #expect(JSONObject(text) == nil)
  }

  @Test(arguments: [
    "\"\\x\"", "\"\\u12G4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\\udc00\"",
    "\"a\nb\"", "\"\\u0000\"", "\"a\\u0000b\"", "7", "true", "null", "{}", "[\"a\"]",
  ])
  func `E-15: A wrong text is absent and costs nothing else`(value: String) throws {
    let json = try read(value)
    #expect(json.string("a") == nil && json.int("b") == 1)
  }

  @Test func `E-15: Deep nesting is refused, also on the small stack of a queue's thread`() {
    func nested(_ count: Int) -> [String] {
      let lists = String(repeating: "[", count: count) + String(repeating: "]", count: count)
      let opened = String(repeating: "{\"a\":", count: count)
      return ["{\"a\":\(lists)}", opened + "1" + String(repeating: "}", count: count), opened]
    }
    let queue = DispatchQueue(label: "small stack")
    queue.sync { #expect(JSONObject(nested(64)[0]) != nil && JSONObject(nested(64)[1]) != nil) }
    for count in [513, 10_000, 1_000_000] {
      for text in nested(count) { queue.sync { #expect(JSONObject(text) == nil) } }
    }
  }

  @Test func `E-15: Five megabytes are read and outlive the text`() throws {
    var long: String? = String(repeating: "x", count: 5_000_000)
    let json = try read("\"\(long ?? "")\"")
    long = nil
    #expect(json.string("a")?.utf8.count == 5_000_000 && json.int("b") == 1)
  }

  @Test func `E-15: Of a key that stands twice the first counts`() throws {
    let json = try #require(JSONObject("{\"a\":1,\"a\":2,\"\\u0061\":3}"))
    #expect(json.int("a") == 1)
  }

  @Test func `E-15: Numbers are exact or nothing`() throws {
    #expect(try read("9223372036854775807").int64("a") == .max)
    #expect(try read("-9223372036854775808").int64("a") == .min)
    #expect(try read("9007199254740993").int64("a") == 9_007_199_254_740_993)
    #expect(try read("2147483647").int("a") == 2_147_483_647)
    #expect(try read("2147483648").int("a") == nil)
    for text in [
      "9223372036854775808", "1e308", "1e999", "1.5", "\"5\"", "true", "null", "01", "1.", "1e",
      "--1", "-",
    ] {
      let json = try read(text)
      #expect(json.int64("a") == nil && json.int("a") == nil && json.int("b") == 1)
    }
  }

  @Test func `Dates may have a fraction, and lie between 1970 and 9999`() throws {
    for (text, microseconds) in [
      ("0", 0), ("1788963200000", 1_788_963_200_000_000),
      ("1788963200000.7297", 1_788_963_200_000_730), ("1788963200000.999", 1_788_963_200_000_999),
      ("1788963200000.9999", 1_788_963_200_001_000), ("4102444799999.001", 4_102_444_799_999_001),
      ("1.788963200000e12", 1_788_963_200_000_000), ("253402300799999", 253_402_300_799_999_000),
    ] as [(String, Int64)] {
      #expect(try read(text).instant("a") == Instant(microseconds: microseconds))
    }
    for text in [
      "-1", "1e308", "1e999", "-1e-999", "253402300800000", "9223372036854775808", "\"1\"", "null",
    ] {
      #expect(try read(text).instant("a") == nil)
    }
  }

  @Test func `Every microsecond of a date is kept`() throws {
    for thousandths in 0..<1000 {
      let digits = String(String(1000 + thousandths).dropFirst())
      #expect(
        try read("1790000000123.\(digits)").instant("a")
          == Instant(microseconds: 1_790_000_000_123_000 + Int64(thousandths)))
    }
  }

  @Test func `A number is one also when no type holds it`() throws {
    for text in ["0", "1.5", "1e308", "1e999", "-1e-999", "9223372036854775808"] {
      #expect(try read(text).isNumber("a"))
    }
    for text in ["\"1\"", "null", "true", "[]", "{}"] {
      #expect(try !read(text).isNumber("a"))
    }
    #expect(try !read("1").isNumber("z"))
  }
}
