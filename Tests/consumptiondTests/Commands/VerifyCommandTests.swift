import AppStore
import Foundation
import Simulation
import TestSupport
import Testing

@testable import consumptiond

@Suite("verify", .serialized)
struct VerifyCommandTests {
  @Test("for people: what holds, by what it was checked, and the three objects")
  func people() throws {
    let bench = try CommandBench(migrated: false)
    let payload = try bench.payload(transaction: "2000001")
    let output = try bench.expectSuccess("verify", input: payload)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "valid: CONSUMPTION_REQUEST for com.example.app (Production)")
    #expect(
      lines[1] == "Signatures, app and environment were checked, by consumptiond.json.")
    #expect(lines[2].hasPrefix("Apple waits for an answer until 2"))
    #expect(lines[2].hasSuffix("due in 11 h 59 min."))
    for title in ["notification", "transaction", "renewal"] { #expect(lines.contains(title[...])) }
    #expect(output.contains("data.signedTransactionInfo     (a signed payload)\n"))
    #expect(!output.contains("eyJ"))
  }

  @Test("for programs: the objects exactly as they were signed")
  func json() throws {
    let bench = try CommandBench(migrated: false)
    let payload = try bench.signer.consumptionRequest(
      transaction: .oneTime(id: "7", purchased: .now() - .seconds(60))
        .with("price", JSONValue(9_223_372_036_854_775_807)))
    let text = try bench.expectSuccess(
      "verify", "--json", input: #"{"signedPayload":"\#(payload)"}"#)
    #expect(text.hasPrefix(#"{"valid":true,"notification":{"#))
    let json = try ReadJSON(text)
    #expect(json["notification"]?["notificationType"]?.string == "CONSUMPTION_REQUEST")
    #expect(json["transaction"]?["price"]?.int64 == .max)
    #expect(text.contains(#""renewal":"#))
  }

  @Test("65 and the reason when it does not hold")
  func invalid() throws {
    let bench = try CommandBench(migrated: false)
    let forged = try bench.signer.forged(
      .changedPayload, transaction: .oneTime(id: "7", purchased: .now() - .seconds(60)))
    let people = try bench.run("verify", input: forged)
    #expect(people.status == 65)
    #expect(people.output.isEmpty)
    #expect(people.errors.hasPrefix("consumptiond: standard input: does not hold: signature: "))
    let program = try bench.run("verify", "--json", input: forged)
    #expect(program.status == 65)
    let json = try ReadJSON(program.output)
    #expect(json["valid"]?.bool == false)
    #expect(json["reason"]?.string == "signature")
    #expect(json["detail"]?.string?.hasPrefix("notification") == true)
    for input in ["", "{}", "not a payload"] {
      #expect(try bench.run("verify", input: input).status == 65)
    }
  }

  @Test("app and environment count with a configuration alone; --root replaces its roots")
  func configuration() throws {
    let bench = try CommandBench(migrated: false)
    let empty = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: empty) }
    var signer = bench.signer
    signer.bundleId = "com.example.other"
    let payload = try signer.test()
    let ours = try bench.run("verify", "--json", input: payload)
    #expect(try ReadJSON(ours.output)["reason"]?.string == "bundle_id")
    let root = bench.folder + "/root.pem"
    let alone = try Program.run(["verify", "--root", root], in: empty, input: payload)
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(alone.output.contains("Signatures alone were checked"))
    let apple = try Program.run(["verify", "--json"], in: empty, input: payload)
    #expect(try ReadJSON(apple.output)["reason"]?.string == "chain")
    try bench.write("other.pem", SigningChain().rootPEM)
    let other = try bench.run("verify", "--json", "--root", "other.pem", input: bench.signer.test())
    #expect(try ReadJSON(other.output)["reason"]?.string == "chain")
    #expect(try bench.run("verify", "--root", "consumptiond.json", input: payload).status == 65)
    try FileManager.default.removeItem(atPath: bench.folder + "/key.p8")
    #expect(try bench.run("verify", input: bench.signer.test()).status == 0)
    try bench.write("consumptiond.json", "{ nonsense: 1 }")
    #expect(try bench.run("verify", input: bench.signer.test()).status == 78)
  }

  private struct Index: Decodable {
    struct Vector: Decodable {
      let file: String
      let valid: Bool
      let reason: String?
    }
    let root: String
    let bundleId: String
    let appAppleId: Int64
    let vectors: [Vector]
  }

  @Test(
    "another program's payloads get their verdicts",
    .disabled(if: Vectors.directory == nil, "../shared/vectors is not there"))
  func vectors() throws {
    let folder = try #require(Vectors.directory) + "/signed/"
    let index = try JSONDecoder().decode(
      Index.self, from: Data(contentsOf: URL(filePath: folder + "index.json")))
    let bench = try CommandBench(migrated: false)
    let text = try String(contentsOfFile: bench.folder + "/consumptiond.json", encoding: .utf8)
      .replacing("com.example.app", with: index.bundleId)
      .replacing("1234567890", with: String(index.appAppleId))
    try bench.write("consumptiond.json", text)
    #expect(!index.vectors.isEmpty)
    for vector in index.vectors {
      let outcome = try bench.run(
        "verify", folder + vector.file, "--json", "--root", folder + index.root)
      #expect(outcome.status == (vector.valid ? 0 : 65), "\(vector.file)")
      let json = try ReadJSON(outcome.output)
      #expect(json["valid"]?.bool == vector.valid, "\(vector.file)")
      #expect(json["reason"]?.string == vector.reason, "\(vector.file)")
    }
  }
}
