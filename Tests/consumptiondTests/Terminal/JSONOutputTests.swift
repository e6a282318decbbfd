import AppStore
import Daemon
import TestSupport
import Testing

@testable import consumptiond

@Suite("JSON and log lines")
struct JSONOutputTests {
  private let nasty = "a\u{1B}[2J\n\u{0}\u{7F}\u{9B}\u{202E}\"\\\u{1F600}"

  @Test("text is escaped, keys keep their order")
  func written() throws {
    let text = JSONText.object([
      ("b", .string(nasty)), ("a", .array([.int(.max), .null, .bool(false)])),
    ]).text
    #expect(
      text == #"{"b":"a\u001b[2J\n\u0000\u007f\u009b\u202e\"\\"# + "\u{1F600}"
        + #"","a":[9223372036854775807,null,false]}"#)
  }

  @Test("PostgreSQL's text stays, digit by digit; only what steers a terminal is escaped")
  func raw() throws {
    let text = #"{"a": 1.10000000000000000000000000000001, "b": 1E+2, "c": "é"}"#
    #expect(Printable.json(text) == text)
    #expect(Printable.json("[\"\u{9B}\u{E0001}\"]") == #"["\u009b\udb40\udc01"]"#)
    #expect(try ReadJSON(Printable.json("\"\u{E0001}\"")).string == "\u{E0001}")
  }

  @Test("the members of an object by their paths")
  func fields() throws {
    let json = try ReadJSON(
      #"{"b":{"y":[1,{"k":"v"}],"x":null},"a":12345678901234567.123456789,"c":{}}"#)
    let list = JSONFields.list(json.value).map { "\($0.name)=\($0.value)" }
    #expect(list == ["a=12345678901234567.123456789", "b.x=null", #"b.y=[1, {"k": "v"}]"#, "c={}"])
  }

  private func event(
    _ level: Log.Level, _ name: String, _ message: String, _ request: Int64? = nil,
    _ transaction: String? = nil
  ) throws -> Log.Event {
    let caught = Locked<Log.Event?>(nil)
    Log { event in caught.withLock { $0 = event } }(
      level, name, message, request: request, transaction: transaction)
    return try #require(caught.withLock { $0 })
  }

  @Test("log lines for people are aligned")
  func line() throws {
    func shown(_ event: Log.Event, _ style: Style = .plain) -> String {
      String(LogOutput.line(event, style).dropFirst(style.isColoured ? 16 : 8))
    }
    #expect(
      try shown(event(.warning, "waiting", "retry: HTTP 503", 12, "2000"))
        == "  warning  waiting    12 (2000): retry: HTTP 503")
    #expect(try shown(event(.info, "started", "hello")) == "  info     started    hello")
    #expect(try shown(event(.info, "held", "x", 12)) == "  info     held       12: x")
    let red = shown(try event(.error, "missed", nasty), Style(isColoured: true))
    #expect(red.hasPrefix("  \u{1B}[31merror  \u{1B}[0m  missed     a\\u{1b}[2J"))
  }

  @Test("no line of the log holds a control character or a token")
  func clean() throws {
    let event = try event(.error, nasty, nasty + " eyJhbGciOi.eyJpc3.xx", 1, nasty)
    for line in [LogOutput.line(event, .plain), LogOutput.json(event)] {
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(!line.contains("eyJ"))
    }
  }

  @Test("log lines for machines are JSON with fixed keys")
  func machine() throws {
    let json = try ReadJSON(LogOutput.json(event(.warning, "waiting", "retry", 12, "2000")))
    #expect(json["level"]?.string == "warning")
    #expect(json["event"]?.string == "waiting")
    #expect(json["request"]?.int == 12)
    #expect(json["transaction"]?.string == "2000")
    #expect(json["message"]?.string == "retry")
    #expect(json["at"]?.string.flatMap { Instant(iso8601: $0) } != nil)
    #expect(try !LogOutput.json(event(.info, "started", "x")).contains("request"))
  }
}
