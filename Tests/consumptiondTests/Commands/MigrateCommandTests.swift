import Foundation
import PostgreSQL
import Store
import TestSupport
import Testing

@testable import consumptiond

@Suite("migrate", .serialized)
struct MigrateCommandTests {
  @Test("with an owner's connection it needs no configuration, and may be repeated")
  func database() throws {
    let bench = try CommandBench(migrated: false)
    let elsewhere = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    let words = ["migrate", "--database", bench.conninfo]
    let first = try Program.run(words, in: elsewhere)
    #expect(first.status == 0, "\(first.errors)")
    #expect(
      first.output == "The schema consumptiond is installed, version \(Migrator.currentVersion).\n")
    let second = try Program.run(words, in: elsewhere)
    #expect(second.status == 0)
    #expect(
      second.output.hasPrefix(
        "The schema consumptiond has version \(Migrator.currentVersion) already"))
  }

  @Test("with a configuration it does not read the private key")
  func noKey() throws {
    let bench = try CommandBench(migrated: false)
    try FileManager.default.removeItem(atPath: bench.folder + "/key.p8")
    try bench.expectSuccess("migrate")
    try bench.expectSuccess("status")
    #expect(try bench.run("run", "--drain").status == 78)
  }

  @Test("what --print prints installs the schema")
  func print() throws {
    let bench = try CommandBench(migrated: false)
    let empty = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: empty) }
    let script = try Program.run(["migrate", "--print"], in: empty)
    #expect(script.status == 0)
    var connection = try TestServer.shared().connect(to: bench.database)
    try connection.script(script.output, timeout: .seconds(30))
    #expect(
      try bench.expectSuccess("migrate").contains("version \(Migrator.currentVersion) already"))
  }

  @Test(
    "a password is in no message, whatever is wrong",
    arguments: [
      ("host=127.0.0.1 port=1 password=hunter2", 69),
      ("postgresql://u:hunter2@127.0.0.1:1/app", 69),
      ("postgresql://u:hunter2@h/app%", 78), ("password=hunter2 hots=x", 78), ("hunter2", 78),
      ("host=127.0.0.1 port=hunter2", 69), ("host=nowhere.invalid password=hunter2", 69),
      ("host=127.0.0.1 port=1 dbname=a password = 'hunter2", 78),
    ])
  func noPassword(conninfo: String, status: Int32) throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let stated = try Program.run(["migrate", "--database", conninfo], in: folder)
    #expect(stated.status == status, "\(stated.errors)")
    let fixture = try ConfigurationFixture()
    let configured = try Program.run(
      ["status", "--config", fixture.file], in: folder,
      environment: ["CONSUMPTIOND_DATABASE": conninfo])
    #expect(configured.status == status, "\(configured.errors)")
    for outcome in [stated, configured] {
      #expect(outcome.errors.hasPrefix("consumptiond: "))
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(!(outcome.errors + outcome.output).contains("hunter2"))
    }
  }
}
