import Foundation
import Store
import TestSupport
import Testing

@testable import consumptiond

@Suite("The program")
struct ProgramTests {
  @Test(
    "exit codes of what needs no database",
    arguments: [
      (["--version"], 0, "consumptiond 0.1.0 (schema \(Migrator.currentVersion))\n", ""),
      (["help"], 0, "consumptiond answers", ""),
      (["show", "--help"], 0, "consumptiond show ID", ""),
      ([], 64, "", "consumptiond: no command given"),
      (["sttus"], 64, "", "consumptiond: unknown command sttus; did you mean status?"),
      (["report", "12"], 64, "", "consumptiond: report: not built yet"),
      (["status", "--watch=0"], 64, "", "consumptiond: status: --watch takes a number"),
      (["status", "--config", "none.json"], 78, "", "consumptiond: none.json: no such file"),
      (["run", "--config", "bad.json"], 78, "", "consumptiond: bad.json: "),
      (["verify", "--config", "none.json"], 78, "", "consumptiond: none.json: no such file"),
      (["verify", "none.jws"], 65, "", "consumptiond: none.jws: No such file"),
    ] as [([String], Int32, String, String)])
  func codes(words: [String], status: Int32, output: String, errors: String) throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "{ mode: ".write(toFile: folder + "/bad.json", atomically: true, encoding: .utf8)
    let outcome = try Program.run(words, in: folder)
    #expect(outcome.status == status)
    #expect(output.isEmpty ? outcome.output.isEmpty : outcome.output.hasPrefix(output))
    #expect(errors.isEmpty ? outcome.errors.isEmpty : outcome.errors.hasPrefix(errors))
    #expect(outcome.errors.split(separator: "\n").count <= 1)
  }
}
