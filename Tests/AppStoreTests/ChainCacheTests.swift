import Crypto
import TestCertificates
import Testing

@testable import AppStore

@Suite struct ChainCacheTests {
  @Test func `One chain is verified once for the three parts of a notification`() throws {
    let signer = try TestSigner()
    var verifier = try signer.verifier()
    for _ in 0..<3 {
      _ = try verifier.verify(signer.request(), now: TestSigner.now)
      #expect(verifier.cachedChains == 1)
    }
  }

  @Test func `What is forged neither enters nor evicts`() throws {
    let signer = try TestSigner()
    var verifier = try signer.verifier()
    _ = try verifier.verify(signer.request(), now: TestSigner.now)
    let payload = TestSigner.object(
      TestSigner.notification,
      [
        "notificationType": "\"TEST\"",
        "data": "{\"bundleId\":\"com.example\",\"environment\":\"Sandbox\"}",
      ])
    let stranger = SigningKey()
    for index in 0..<100 {
      // The true chain in a header of the forger's, who has no key for it.
      let header = signer.header().replacing("{\"alg\"", with: "{\"n\":\(index),\"alg\"")
      let forged = try signer.sign(payload, header: header, key: stranger)
      #expect(throws: SignedPayloadError.self) { try verifier.verify(forged, now: TestSigner.now) }
    }
    #expect(verifier.cachedChains == 1)
    for index in 0..<100 {
      let header = signer.header().replacing("{\"alg\"", with: "{\"n\":\(index),\"alg\"")
      _ = try verifier.verify(signer.sign(payload, header: header), now: TestSigner.now)
    }
    #expect(verifier.cachedChains == ChainCache.capacity)
  }

  @Test func `The chain that was used longest ago makes room`() throws {
    let chain = try TestChain()
    let verified = try CertificateChain(chain.der, anchors: chain.anchors())
    var cache = ChainCache()
    for index in 0..<ChainCache.capacity {
      cache.use(verified, headerHash: [UInt8(index)])
    }
    cache.use(verified, headerHash: [0])
    cache.use(verified, headerHash: [200])
    #expect(cache.count == ChainCache.capacity)
    #expect(cache[[0]] != nil && cache[[200]] != nil && cache[[1]] == nil)
  }

  @Test func `A cached chain is asked for its time at every use`() throws {
    let signer = try TestSigner(
      TestChain { $0.leaf.notBefore = "20260901000000Z" })
    var verifier = try signer.verifier()
    _ = try verifier.verify(signer.request(), now: TestSigner.now)
    let early = try signer.request(notification: ["signedDate": "1780000000000"])
    let error = #expect(throws: SignedPayloadError.self) {
      try verifier.verify(early, now: TestSigner.now)
    }
    #expect(error?.reason == .chain)
  }
}
