import AppStore
import Crypto
import Foundation
import HTTP
import Simulation
import Testing

/// The built program, beside the tests'.
enum Program {
  static var url: URL {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: "AppStoreSimulator")
  }

  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs it to its end.
  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  static func run(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }
}

/// A simulator that runs until it is told to end.
final class RunningSimulator {
  private let process = Process()
  private let errors = Pipe()
  /// The lines "name: value" that it printed at its start.
  let facts: [String: String]
  let introduction: String

  init(_ arguments: String...) throws {
    process.executableURL = Program.url
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var text = ""
    while !text.contains("enqueue:"), case let data = output.fileHandleForReading.availableData,
      !data.isEmpty
    {
      text += String(decoding: data, as: UTF8.self)
    }
    introduction = text
    let pairs = text.split(separator: "\n").prefix { !$0.hasPrefix("In consumptiond") }.compactMap {
      line -> (String, String)? in
      guard let colon = line.firstRange(of: ": ") else { return nil }
      return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
    }
    facts = Dictionary(pairs) { first, _ in first }
  }

  deinit { process.terminate() }

  func fact(_ name: String) throws -> String { try #require(facts[name], "\(introduction)") }

  /// Ends it as Ctrl-C does.
  /// - Returns: its log.
  func end() throws -> String {
    process.interrupt()
    let log = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: log, as: UTF8.self)
  }
}

@Suite("The program AppStoreSimulator")
struct ProgramTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "sim-\(UUID().uuidString)")
    .path
  let client = HTTPClient(maximumConnectionsPerHost: 4)
  let dates = ["--purchased", "2026-11-01T00:00:00Z", "--expires", "2026-12-01T00:00:00Z"]

  func sign(_ id: String, _ more: String...) throws -> String {
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["sign", "--folder", folder, "--transaction-id", id] + dates + more
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func authorization(_ simulator: RunningSimulator) throws -> String {
    let pem = try String(contentsOfFile: simulator.fact("key"), encoding: .utf8)
    let key = APIKey(
      keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a",
      key: try SigningKey(pem: pem))
    return try BearerToken.make(key: key, bundleId: "com.example.app", now: .now()).authorization
  }

  @Test("from a signed request to the verdict: product types are shared through the folder")
  func wholeWay() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let simulator = try RunningSimulator("--folder", folder)
    let url = try simulator.fact("url")
    #expect(url.hasPrefix("http://127.0.0.1:"))
    let authorization = try authorization(simulator)

    let payload = try sign(
      "2000001", "--token", "7e3fb20b-4cdb-47cc-936d-99d65f608138", "--reason", "LEGAL")
    let root = try Data(contentsOf: URL(filePath: simulator.fact("root")))
    var verifier = NotificationVerifier(
      anchors: try TrustAnchors(certificates: [Array(root)]),
      apps: [
        AppIdentity(
          bundleId: "com.example.app", appAppleId: 1_234_567_890, environments: [.production])
      ])
    let verified = try verifier.verify(payload, now: .now())
    #expect(verified.notification.consumptionRequestReason == "LEGAL")
    #expect(verified.transaction?.appAccountToken == "7e3fb20b-4cdb-47cc-936d-99d65f608138")
    _ = try sign("2000002", "--ownership", "FAMILY_SHARED")

    func put(_ id: String, _ body: String = acceptableBody) async throws -> Int {
      let answer = try await client.put(to: url, id: id, body: body, authorization: authorization)
      return answer.status
    }
    let withPercentage = acceptableBody.dropLast() + #","consumptionPercentage":1000}"#
    #expect(try await put("2000001") == 202)
    #expect(try await put("2000001", String(withPercentage)) == 400)
    #expect(try await put("2000002") == 400)
    #expect(try await put("2000003") == 404)
    let log = try simulator.end()
    #expect(log.contains("transaction 2000001 (v2): 202: accepted"))
    #expect(log.contains("transaction 2000001 (v2): 400, 4000209"))
    #expect(log.contains("transaction 2000002 (v2): 400, 4000185"))
    #expect(log.contains("transaction 2000003 (v2): 404, 4040010"))
    #expect(!log.contains("eyJ"))
    #expect(!log.contains("Bearer"))
  }

  @Test("TLS with its own root, and nothing else")
  func tls() async throws {
    let simulator = try RunningSimulator("--tls")
    let url = try simulator.fact("url")
    #expect(url.hasPrefix("https://127.0.0.1:"))
    let authorization = try authorization(simulator)
    await #expect(throws: HTTPError.self) {
      try await client.put(to: url, authorization: authorization)
    }
    let trusting = HTTPClient(
      maximumConnectionsPerHost: 1, rootsFile: try simulator.fact("tls-root"))
    #expect(try await trusting.put(to: url, authorization: authorization).status == 202)
    let folder = try simulator.fact("folder")
    _ = try simulator.end()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("--fail, and a key of the user's own")
  func fail() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let key = SigningKey()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let publicKey = folder + "/public.pem"
    try key.publicKey.pem().write(toFile: publicKey, atomically: true, encoding: .utf8)
    let simulator = try RunningSimulator(
      "--folder", folder, "--public-key", publicKey, "--key-id", "MYKEY", "--issuer-id", "me",
      "--bundle-id", "com.example.mine", "--fail", "503*1", "--fail", "429:5*1", "--fail=hangup*1")
    #expect(simulator.facts["key"] == nil)
    let url = try simulator.fact("url")
    let token = try BearerToken.make(
      key: APIKey(keyId: "MYKEY", issuerId: "me", key: key), bundleId: "com.example.mine",
      now: .now()
    ).authorization
    #expect(try await client.put(to: url, authorization: token).status == 503)
    let limited = try await client.put(to: url, authorization: token)
    #expect(limited.status == 429)
    #expect(limited.headers["retry-after"] != nil)
    await #expect(throws: HTTPError.self) { try await client.put(to: url, authorization: token) }
    #expect(try await client.put(to: url, authorization: token).status == 202)
    let log = try simulator.end()
    #expect(log.split(separator: "\n").count == 4)
    #expect(log.contains("no answer, as told by --fail"))
  }

  @Test("everything in the folder is its owner's alone")
  func permissions() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let simulator = try RunningSimulator("--folder", folder)
    _ = try sign("1")
    _ = try simulator.end()
    for name in try [""] + FileManager.default.contentsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
      #expect(mode & 0o077 == 0, "\(name)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(try Program.run("sign", "--folder", folder, "--type", "TEST").status == 70)
  }

  @Test("the same chain again from the same folder")
  func sameChain() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try sign("1")
    let root = try String(contentsOfFile: folder + "/root.pem", encoding: .utf8)
    let payload = try sign("2", "--set", #"billingPlanType="MONTHLY""#, "--set", "price=")
    #expect(try String(contentsOfFile: folder + "/root.pem", encoding: .utf8) == root)
    var verifier = NotificationVerifier(
      anchors: try TrustAnchors(certificates: [Array(root.utf8)]), apps: nil)
    let transaction = try #require(try verifier.verify(payload, now: .now()).transaction)
    #expect(transaction.billingPlanType == "MONTHLY")
    #expect(transaction.price == nil)
  }

  @Test("--count signs for the transactions that follow, one payload a line")
  func count() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let payloads = try sign("2000009", "--count", "3").split(separator: "\n")
    let root = try String(contentsOfFile: folder + "/root.pem", encoding: .utf8)
    var verifier = NotificationVerifier(
      anchors: try TrustAnchors(certificates: [Array(root.utf8)]), apps: nil)
    let ids = try payloads.map {
      try verifier.verify(String($0), now: .now()).transaction?.transactionId
    }
    #expect(ids == ["2000009", "2000010", "2000011"])
    let refused = try Program.run(
      ["sign", "--folder", folder, "--transaction-id", "x1", "--count", "2"] + dates)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--count"))
  }

  @Test(
    "wrong command lines end with 64 and say what is wrong",
    arguments: [
      (["--port", "x"], "--port x"), (["--fail", "oops"], "oops"), (["--nonsense"], "--nonsense"),
      (["--tls=yes"], "--tls"), (["extra"], "extra"), (["sign"], "--folder"),
      (["--port"], "--port"),
      (["sign", "--folder", "/nonexistent/x", "--purchased"], "--purchased"),
    ])
  func usage(arguments: [String], text: String) throws {
    let process = Process()
    process.executableURL = Program.url
    process.arguments = arguments
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(String(decoding: complaint, as: UTF8.self).contains(text))
  }

  @Test("help fits a terminal and names each option")
  func help() throws {
    let text = try Program.run("help").output
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    for option in [
      "--port", "--tls", "--folder", "--public-key", "--fail", "sign", "--type-of-product",
    ] {
      #expect(text.contains(option))
    }
  }
}
