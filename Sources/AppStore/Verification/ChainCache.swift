internal import Crypto

/// Verified chains by the SHA-256 of the encoded header that carried them.
///
/// Apple uses one chain for months and sends it three times in every notification, and its P-384
/// signatures cost six milliseconds. What enters has signed a payload that held; so a forger, who
/// can put a true chain into any number of headers, can neither fill the cache nor empty it.
struct ChainCache: Sendable {
  static let capacity = 64

  private struct Entry {
    let chain: CertificateChain
    var lastUse: UInt64
  }

  private var entries: [[UInt8]: Entry] = [:]
  private var uses: UInt64 = 0

  var count: Int { entries.count }

  /// Does not say that the chain is valid at any time: that is asked at every use.
  subscript(headerHash: [UInt8]) -> CertificateChain? {
    entries[headerHash]?.chain
  }

  /// Notes that a payload under this header held; the chain that is longest unused makes room.
  mutating func use(_ chain: CertificateChain, headerHash: [UInt8]) {
    uses += 1
    if entries[headerHash] == nil, entries.count >= Self.capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    entries[headerHash] = Entry(chain: chain, lastUse: uses)
  }
}
