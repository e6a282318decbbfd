import Foundation
import Testing

@testable import consumptiond

@Suite("enqueue", .serialized)
struct EnqueueCommandTests {
  @Test("a payload, Apple's body, several lines of either: an id for each, and the same twice")
  func ids() throws {
    let bench = try CommandBench()
    let (one, two) = (try bench.payload(transaction: "1"), try bench.payload(transaction: "2"))
    #expect(try bench.expectSuccess("enqueue", input: one + "\n") == "1\n")
    #expect(
      try bench.expectSuccess("enqueue", "-", input: #"{"signedPayload":"\#(one)"}"#) == "1\n")
    #expect(
      try bench.expectSuccess("enqueue", input: "{\n  \"signedPayload\": \"\(one)\"\n}\n") == "1\n")
    try bench.write("all.jws", "\r\n\(one)\r\n\n  {\"signedPayload\":\"\(two)\"}  \r\n\(one)\r\n")
    let ids = try bench.expectSuccess("enqueue", "all.jws").split(separator: "\n")
    #expect(ids.count == 3 && ids[0] == "1" && ids[2] == "1" && ids[1] != "1")
    #expect(try bench.sql("SELECT count(*) FROM consumptiond.inbox") == ["2"])
  }

  @Test("what cannot be enqueued ends with 65, or 78 without a schema, and 77 without the right")
  func refused() throws {
    let bench = try CommandBench()
    let empty = try bench.run("enqueue", input: " \n ")
    #expect(empty.status == 65)
    #expect(empty.errors == "consumptiond: standard input: nothing in it\n")
    let missing = try bench.run("enqueue", "nothing.jws")
    #expect(missing.status == 65)
    #expect(missing.errors == "consumptiond: nothing.jws: No such file or directory\n")
    try Data([0xFF, 0xFE]).write(to: URL(filePath: bench.folder + "/binary"))
    #expect(
      try bench.run("enqueue", "binary").errors == "consumptiond: binary: not UTF-8 text\n")

    let role = "r_\(bench.database)"
    try bench.sql("CREATE ROLE \(role) LOGIN")
    let forbidden = try Program.run(
      ["enqueue"], in: bench.folder, input: "x",
      environment: ["CONSUMPTIOND_DATABASE": bench.conninfo + " user=\(role)"])
    #expect(forbidden.status == 77)
    #expect(forbidden.errors.hasPrefix("consumptiond: database: permission denied"))

    let bare = try CommandBench(migrated: false)
    let outcome = try bare.run("enqueue", input: "x")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("run consumptiond migrate"))
  }

  @Test("nobody reads the ids: all payloads are enqueued all the same")
  func closedOutput() throws {
    let bench = try CommandBench()
    try bench.write("many", (1...200).map { "payload \($0)" }.joined(separator: "\n"))
    let line =
      "'\(try program)' enqueue '\(bench.folder)/many' --config '\(bench.folder)/consumptiond.json'"
    #expect(try shellStatus("\(line) | true; exit ${PIPESTATUS[0]}") == 0)
    #expect(try bench.sql("SELECT count(*) FROM consumptiond.inbox") == ["200"])
    #expect(try shellStatus("\(line) >&-") == 0)
    #expect(try shellStatus("\(line) >/dev/full") == 75)
  }

  private var program: String {
    get throws {
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "consumptiond").path
    }
  }

  private func shellStatus(_ line: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
