import AppStore
import Testing

@Suite struct SignedPayloadTests {
  @Test(arguments: [
    ("a.b.c", "a.b.c"), (" \r\n\ta.b.c\n", "a.b.c"), ("{\"signedPayload\":\"a.b.c\"}", "a.b.c"),
    ("\n{ \"signedPayload\" : \" a.b.c \" , \"more\": 1 }\n", "a.b.c"), ("", ""), (" ", ""),
    ("{\"notification_type\":\"X\"}", "{\"notification_type\":\"X\"}"),
    ("{\"signedPayload\":7}", "{\"signedPayload\":7}"), ("{", "{"),
    ("{\"signedPayload\":\"a\",\"signedPayload\":\"b\"}", "a"),
  ])
  func `Apple's body or a payload`(posted: String, payload: String) {
    #expect(SignedPayload.extract(posted) == payload)
  }

  @Test func `A payload of the largest size comes out of its body`() {
    let payload = String(repeating: "a", count: SignedPayload.maximumBytes)
    #expect(SignedPayload.extract("{\"signedPayload\":\"\(payload)\"}") == payload)
  }

  @Test func `What is far too long is not even read`() {
    let posted = "{\"signedPayload\":\"" + String(repeating: "a", count: 5_000_000) + "\"}"
    #expect(SignedPayload.extract(posted) == posted)
  }
}
