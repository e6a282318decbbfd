import Decision
import PostgreSQL
import Store

/// `consumptiond check [--customer ID] [--json]`: every assumption tried before Apple tests it.
struct CheckCommand {
  let config: String?
  let customer: String?
  let json: Bool

  private static let timeout = Duration.seconds(10)

  func run(_ output: inout Output) throws(CommandFailure) -> ExitCode {
    var findings: [Finding] = []
    var isAway = false
    do throws(CommandFailure) {
      let loaded = try LoadedConfiguration(config)
      findings += CheckConfiguration.findings(loaded.configuration)
      (findings, isAway) = try database(loaded, findings)
    } catch {
      findings.append(.wrong("configuration", error.message))
    }
    let report = CheckReport(findings: findings)
    try output.lines(
      json ? [report.json.text] : report.lines(output.style, width: output.width))
    guard report.count(.wrong) > 0 else { return .ok }
    return isAway && report.count(.wrong) == 1 ? .unavailable : .configuration
  }

  private func database(
    _ loaded: LoadedConfiguration, _ before: [Finding]
  ) throws(CommandFailure) -> ([Finding], isAway: Bool) {
    var findings = before
    var info = loaded.database
    // A standby, or a server that refuses writes, is told by what it is and not by its silence.
    info["target_session_attrs"] = "any"
    info["fallback_application_name"] = "consumptiond check"
    do throws(PostgresError) {
      var connection = try Connection(info, timeout: Self.timeout)
      try examine(loaded, &findings, on: &connection)
      return (findings, false)
    } catch {
      let isAway = error.failure.code == .unavailable
      findings.append(
        .wrong(
          "database", Printable.text(error.message),
          isAway ? "is it up, and are host, port, name and password right?" : nil))
      return (findings, isAway)
    }
  }

  private func examine(
    _ loaded: LoadedConfiguration, _ findings: inout [Finding], on connection: inout Connection
  ) throws(PostgresError) {
    let facts = try CheckDatabase.clocked(on: &connection)
    findings += CheckDatabase.findings(facts.facts, skew: facts.skew)
    if let complaint = try Migrator.complaint(&connection) {
      findings.append(.wrong("schema", complaint))
    } else {
      findings.append(.fine("schema", "version \(Migrator.currentVersion)"))
      findings += try CheckSchema.findings(loaded.configuration, on: &connection)
    }
    findings += CheckListen.findings(loaded, on: &connection)
    // Rules are validated by way of a temporary table, which neither can make.
    guard !facts.facts.isStandby, !facts.facts.isReadOnly else { return }
    for policy in [loaded.configuration.queryPolicy] {
      let inspection = try QueryInspection.run(policy, on: &connection)
      findings += CheckQueries.findings(inspection)
      guard inspection.results.allSatisfy({ if case .success = $0 { true } else { false } }),
        case .success(let queries) = try loaded.compiled(on: &connection)
      else { continue }
      let rehearsal = CheckRehearsal(
        configuration: loaded.configuration, queries: queries,
        customerType: inspection.customerType, now: try RequestRecord.now(on: &connection))
      findings += try rehearsal.nobody(on: &connection)
      if let customer { findings += try rehearsal.somebody(customer, on: &connection) }
      findings += try CheckRuleTests.findings(
        loaded.configuration.response.preference, queries, rehearsal.batch, on: &connection)
    }
  }
}
