import Crypto
import Testing

@Suite struct Base64Tests {
  @Test func `Both alphabets give back every length of bytes`() {
    for count in 0...67 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 250) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(!Base64URL.encode(bytes).contains("="))
      #expect(Base64.encode(bytes).count.isMultiple(of: 4))
    }
  }

  @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg")])
  func `The examples of RFC 4648`(plain: String, encoded: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Zg==", "Zm8=", "Z", "Zm9vY", "Zh", "Zm9", "Z g", "Zg\n", "+/+/", "Zm9v.", "Zm9vé", "=",
  ])
  func `Base64url has no padding, no space, no stray bits and no other alphabet`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test(arguments: [
    "Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9=", "Zm 8=", "Zm8=\n", "-_-_", "Zg==Zg==",
  ])
  func `Base64 has its padding and nothing else`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
