import Foundation
import Simulation
import TestSupport

/// What a command ended with.
struct CommandRun: Sendable {
  let status: Int32
  let output: String
  let complaint: String
}

extension Bench {
  /// Runs a command of the program on this bench's configuration, its output in pipes.
  func command(
    _ arguments: String..., config: String? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> CommandRun {
    try command(words: arguments, config: config, input: input, environment: environment)
  }

  func command(
    words: [String], config: String?, input: String, environment: [String: String] = [:]
  ) throws -> CommandRun {
    let folder = try temporaryFolder(prefix: "consumptiond-command-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try input.write(toFile: folder + "/in", atomically: false, encoding: .utf8)
    let quoted = ([Program.path] + words + ["--config", config ?? configuration.file])
      .map { "'\($0.replacingOccurrences(of: "'", with: #"'\''"#))'" }
    let variables = environment.map { "\($0)='\($1)'" }.joined(separator: " ")
    let status = try shell(
      "env \(variables) \(quoted.joined(separator: " ")) <\(folder)/in >\(folder)/out "
        + "2>\(folder)/err; echo $?")
    return CommandRun(
      status: try Int32(status).orThrow("a status"), output: contents(of: folder + "/out"),
      complaint: contents(of: folder + "/err"))
  }

  /// Another configuration beside the bench's own.
  func configuration(
    _ name: String, _ change: (inout JSONObject) throws -> Void
  ) throws -> String {
    var copy = configuration
    try change(&copy.root)
    let file = configuration.folder + "/\(name).json"
    try copy.write(to: file)
    return file
  }

  /// Every row of every table as it is stored, and where the sequences stand: two are equal when
  /// nothing was written in between, not even the same again.
  func snapshot() throws -> [String] {
    let tables = try database.query(
      """
      SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1
      """)
    var snapshot: [String] = []
    for case let table? in tables.map(\.[0]) {
      let rows = try database.value(
        "SELECT string_agg(concat_ws(' ', t.ctid, t.xmin, t.xmax, t::text), E'\\n' ORDER BY t.ctid) "
          + "FROM \(table) t")
      snapshot.append("\(table)\n\(rows ?? "")")
    }
    let sequences = try database.value(
      "SELECT string_agg(concat_ws(' ', sequencename, last_value), ', ' ORDER BY sequencename) "
        + "FROM pg_sequences")
    return snapshot + [sequences ?? ""]
  }
}
