import COpenSSL
import Crypto
import Testing

@Suite struct KeyTests {
  @Test func `E-08: 5000 signatures have 64 bytes each and verify`() throws {
    let key = SigningKey()
    let publicKey = key.publicKey
    var shortNumbers = 0
    for index in 0..<5000 {
      let message = Array("message \(index)".utf8)
      let signature = try key.signature(over: message)
      #expect(signature.count == 64)
      #expect(Base64URL.encode(signature).count == 86)
      #expect(publicKey.isValid(signature, over: message))
      if signature[0] == 0 || signature[32] == 0 { shortNumbers += 1 }
    }
    // One in 128 has a number that must be padded; with none the test has shown nothing.
    #expect(shortNumbers > 0)
  }

  @Test func `A signature holds for its message and its key alone`() throws {
    let key = SigningKey()
    let signature = try key.signature(over: [1, 2, 3])
    #expect(!key.publicKey.isValid(signature, over: [1, 2, 4]))
    #expect(!SigningKey().publicKey.isValid(signature, over: [1, 2, 3]))
    var changed = signature
    changed[63] ^= 1
    #expect(!key.publicKey.isValid(changed, over: [1, 2, 3]))
    #expect(!key.publicKey.isValid([], over: [1, 2, 3]))
    #expect(!key.publicKey.isValid(Array(signature.dropLast()), over: [1, 2, 3]))
    #expect(!key.publicKey.isValid(signature + [0], over: [1, 2, 3]))
  }

  @Test func `An empty message is signed and verified`() throws {
    let key = SigningKey()
    #expect(key.publicKey.isValid(try key.signature(over: []), over: []))
  }

  @Test func `Keys go through PEM`() throws {
    let key = SigningKey()
    let pem = try key.pem()
    #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    let signature = try SigningKey(pem: pem).signature(over: [7])
    #expect(try VerifyingKey(pem: key.publicKey.pem()).isValid(signature, over: [7]))
  }

  @Test func `A file that is no In-App Purchase key says what it is, and shows none of it`() throws
  {
    let pem = try SigningKey().pem()
    let publicPEM = try SigningKey().publicKey.pem()
    let secret = pem.split(separator: "\n")[1]
    let cases = [
      ("", "not a private key in PEM"),
      ("hello", "not a private key in PEM"),
      (publicPEM, "a public key;"),
      (String(pem.dropFirst(120)), "not a private key in PEM"),
      (pem.replacing("BEGIN PRIVATE", with: "BEGIN ENCRYPTED PRIVATE"), "encrypted"),
      (Self.p384, "not on the curve P-256"),
    ]
    for (text, message) in cases {
      let error = #expect(throws: CryptoError.self) { try SigningKey(pem: text) }
      #expect(error?.message.contains(message) == true, "\(String(describing: error))")
      #expect(error?.message.contains(secret) == false)
    }
  }

  @Test func `C-13: A private key shows nothing of itself`() throws {
    let key = SigningKey()
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("OpaquePointer") && !text.contains("handle"), "\(text)")
    }
  }

  @Test func `E-10: What fails leaves no error behind for the next user of the thread`() throws {
    let key = SigningKey()
    let good = try key.signature(over: [1])
    for _ in 0..<50 {
      // An error of somebody else's is not ours to trip over either.
      #expect(BIO_new_file("/nowhere/nothing", "r") == nil)
      #expect(ERR_peek_error() != 0)
      #expect(key.publicKey.isValid(good, over: [1]))
      #expect(ERR_peek_error() == 0)
      #expect(!key.publicKey.isValid([UInt8](repeating: 0xFF, count: 64), over: [1]))
      #expect(ERR_peek_error() == 0)
      #expect(throws: CryptoError.self) {
        try SigningKey(pem: "-----BEGIN PRIVATE KEY-----\nAA==\n")
      }
      #expect(ERR_peek_error() == 0)
      #expect(throws: CryptoError.self) { try TrustAnchors(certificates: [[0x30, 0x03, 1, 2, 3]]) }
      #expect(ERR_peek_error() == 0)
      #expect(throws: CertificateChainError.self) {
        try CertificateChain([[1], [2], [3]], anchors: .appleRootCAG3)
      }
      #expect(ERR_peek_error() == 0)
    }
  }

  @Test func `SHA-256 of the standard's examples`() {
    #expect(
      SHA256.hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  /// Made for this test and used nowhere.
  private static let p384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDA/6bcStwMqiRFeCA66
    1e0Oh8RepY4sNTcF3fpbajwEn0zofec8/Op25i22qG6kwd+hZANiAASyfiwzfSD2
    nqY0xS8wwzGWY6ZzqK/PNsKKyFo50mamV751aoiPiHPL+tssUp0pnJP4rUi8urf3
    32xs3idvZoULkSGKI2yncRAMvQr7xygtq9jIHA9EIyAJpLPr0wFMueM=
    -----END PRIVATE KEY-----
    """
}
