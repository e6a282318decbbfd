extension Fault {
  /// What later versions will take, refused by name.
  static let notBuiltYet: [Fault] = [
    Fault(
      "mode",
      #"mode: "answer""#,
      #"mode: "observe""#,
      ""),
    Fault(
      "instance",
      #"history: "off""#,
      #"instance: "production""#,
      ""),
    Fault(
      "usageDatabase",
      #"history: "off""#,
      #"usageDatabase: "dbname=app""#,
      ""),
    Fault(
      "rates",
      #"history: "off""#,
      #"rates: { query: "SELECT 1" }"#,
      ""),
    Fault(
      "facts",
      #"history: "off""#,
      "facts: []",
      ""),
    Fault(
      "events",
      #"history: "off""#,
      "events: {}",
      ""),
    Fault(
      "outcomeAfter",
      #"history: "off""#,
      #"outcomeAfter: "30d""#,
      ""),
    Fault(
      "alerts",
      #"history: "off""#,
      "alerts: []",
      ""),
    Fault(
      "heartbeat",
      #"history: "off""#,
      "heartbeat: {}",
      ""),
    Fault(
      "metricsFile",
      #"history: "off""#,
      #"metricsFile: "a.prom""#,
      ""),
    Fault(
      "history",
      #"history: "off""#,
      #"history: { sweepEvery: "15m" }"#,
      ""),
    Fault(
      "level",
      #"events: { table: "public.generation""#,
      #"level: { table: "public.generation""#,
      ""),
    Fault(
      "settle",
      #"name: "ai_generations""#,
      #"settle: "10m", name: "ai_generations""#,
      ""),
    Fault(
      "fresh",
      #"name: "ai_generations""#,
      #"fresh: {}, name: "ai_generations""#,
      ""),
    Fault(
      "currency of a source",
      #"name: "ai_generations""#,
      #"currency: "EUR", name: "ai_generations""#,
      ""),
    Fault(
      "environments of a source",
      #"name: "ai_generations""#,
      #"environments: [], name: "ai_generations""#,
      ""),
    Fault(
      "consent left out",
      #"consent: { query: "SELECT granted, at, 'settings', version FROM consent WHERE account_id = $customer ORDER BY at DESC LIMIT 1" },"#,
      "",
      ""),
    Fault(
      "an app's own block",
      "bundleId:",
      "usage: {}, bundleId:",
      ""),
    Fault(
      "a second key",
      "keys: [{",
      "keys: [{}, {",
      ""),
    Fault(
      "respondAfter",
      #"respondAfter: "0s""#,
      #"respondAfter: "1h""#,
      ""),
    Fault(
      "consumptionPercentage",
      "deliveryStatus:",
      "consumptionPercentage: {}, deliveryStatus:",
      ""),
    Fault(
      "holdout",
      "deliveryStatus:",
      "holdout: 0.1, deliveryStatus:",
      ""),
    Fault(
      "drift",
      "deliveryStatus:",
      "drift: {}, deliveryStatus:",
      ""),
    Fault(
      "deliveryStatus by query",
      #""DELIVERED""#,
      #"{ query: "SELECT 'DELIVERED'", whenUnknown: "DELIVERED" }"#,
      ""),
    Fault(
      "sampleContentProvided by query",
      "sampleContentProvided: true",
      #"sampleContentProvided: { query: "SELECT true", whenUnknown: true }"#,
      ""),
    Fault(
      "tests",
      #"otherwise: "NONE""#,
      "tests: []",
      ""),
    Fault(
      "REVIEW",
      #"prefer: "DECLINE""#,
      #"prefer: "REVIEW""#,
      ""),
    Fault(
      "REVIEW otherwise",
      #"otherwise: "NONE""#,
      #"otherwise: "REVIEW""#,
      ""),
    Fault(
      "REVIEW when unknown",
      #"whenUnknown: "NONE""#,
      #"whenUnknown: "REVIEW""#,
      ""),
    Fault(
      "earlier_requests",
      "cost_share >= 0.5",
      "cost_share >= 0.5 AND earlier_requests > 2",
      ""),
    Fault(
      "earlier_refunds",
      "cost_share >= 0.5",
      "EARLIER_REFUNDS>2",
      ""),
  ]
}
