import PostgreSQL
import Store

/// The schema, the grants on it, and what a person left in it.
enum CheckSchema {
  static func findings(
    _ configuration: Configuration, on connection: inout Connection
  ) throws(PostgresError) -> [Finding] {
    let facts = try SchemaFacts.read(on: &connection)
    var findings = grants(facts)
    guard !facts.lacking.contains(where: { $0.hasPrefix("SELECT") }) else { return findings }
    findings.append(
      instance(configuration.instance, try Instance.current(on: &connection)))
    for pause in try Pauses.all(on: &connection) {
      findings.append(
        .doubtful(
          "pause",
          "\(pause.bundleId ?? "all apps") by \(pause.person), for "
            + HumanTime.duration(seconds: pause.seconds),
          "consumptiond resume" + (pause.bundleId.map { " --app \($0)" } ?? "")))
    }
    return findings
  }

  static func grants(_ facts: SchemaFacts) -> [Finding] {
    var findings: [Finding] = []
    findings.append(
      facts.lacking.isEmpty
        ? .fine("grants", "the role may do what the daemon does")
        : .wrong(
          "grants", "lacking: \(facts.lacking.joined(separator: ", "))",
          "as the owner: consumptiond migrate, after deploy/roles.sql"))
    if facts.ownsSchema {
      findings.append(
        .doubtful(
          "grants", "the daemon's role owns the schema, and could change it",
          "deploy/roles.sql, and migrate as a member of consumptiond_owner"))
    }
    if facts.enqueuers == 0 {
      findings.append(
        .doubtful(
          "grants", "no other role that logs in may enqueue: who does the webhook connect as?",
          "GRANT consumptiond_enqueue TO its role"))
    }
    findings.append(
      facts.payloadReaders.isEmpty
        ? .fine("inbox", "nobody else reads signed payloads, but superusers and the owner")
        : .doubtful(
          "inbox", "signed payloads can be read by \(facts.payloadReaders.joined(separator: ", "))",
          "REVOKE SELECT ON consumptiond.inbox FROM each, or its membership"))
    return findings
  }

  static func instance(_ name: String?, _ stamp: String?) -> Finding {
    switch (name, stamp) {
    case (nil, nil):
      .doubtful(
        "instance", "none: a copy of this database would answer Apple beside it",
        "instance: \"production\", or another name of yours")
    case (nil, let stamp?):
      .doubtful(
        "instance", "the database is \"\(stamp)\", and the configuration names none",
        "instance: \"\(stamp)\", if this is it")
    case (let name?, nil): .fine("instance", "\"\(name)\"; the first run writes it down")
    case (let name?, let stamp?):
      name == stamp
        ? .fine("instance", "\"\(name)\"")
        : .wrong(
          "instance", "the configuration is \"\(name)\", and the database \"\(stamp)\"",
          "another database; or, for a copy, consumptiond adopt (--cancel-open)")
    }
  }
}
