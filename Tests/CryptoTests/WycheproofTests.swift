import Crypto
import FoundationEssentials
import TestCertificates
import Testing

/// Google's Wycheproof: ES256 signatures with every trick that has fooled a library.
@Suite(.disabled(if: SharedVectors.isMissing, "../shared/vectors is not there"))
struct WycheproofTests {
  private struct File: Decodable {
    struct Group: Decodable {
      struct Case: Decodable {
        let tcId: Int
        let comment: String
        let msg: String
        let sig: String
        let result: String
      }
      let publicKeyPem: String
      let tests: [Case]
    }
    let numberOfTests: Int
    let testGroups: [Group]
  }

  @Test func `E-08: Every verdict is Wycheproof's`() throws {
    let data = try SharedVectors.data("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json")
    let file = try JSONDecoder().decode(File.self, from: data)
    var verdicts: [Bool: Int] = [:]
    for group in file.testGroups {
      let key = try VerifyingKey(pem: group.publicKeyPem)
      for test in group.tests {
        let verdict = key.isValid(Self.bytes(test.sig), over: Self.bytes(test.msg))
        #expect(verdict == (test.result == "valid"), "\(test.tcId): \(test.comment)")
        verdicts[verdict, default: 0] += 1
      }
    }
    #expect(verdicts.values.reduce(0, +) == file.numberOfTests)
    #expect(verdicts.count == 2)
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = hex[...]
    while !rest.isEmpty {
      bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
