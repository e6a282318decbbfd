extension Fault {
  /// What later versions will take, refused by name.
  static let notBuiltYet: [Fault] = [
    Fault(
      "usageDatabase",
      #"history: "off""#,
      #"usageDatabase: "dbname=app""#,
      "usageDatabase: not built yet"),
    Fault(
      "rates",
      #"history: "off""#,
      #"rates: { query: "SELECT 1" }"#,
      "rates: not built yet"),
    Fault(
      "facts",
      #"history: "off""#,
      "facts: []",
      "facts: not built yet"),
    Fault(
      "events",
      #"history: "off""#,
      "events: {}",
      "events: not built yet"),
    Fault(
      "outcomeAfter",
      #"history: "off""#,
      #"outcomeAfter: "30d""#,
      "outcomeAfter: not built yet"),
    Fault(
      "alerts",
      #"history: "off""#,
      "alerts: []",
      "alerts: not built yet"),
    Fault(
      "heartbeat",
      #"history: "off""#,
      "heartbeat: {}",
      "heartbeat: not built yet"),
    Fault(
      "metricsFile",
      #"history: "off""#,
      #"metricsFile: "a.prom""#,
      "metricsFile: not built yet"),
    Fault(
      "history",
      #"history: "off""#,
      #"history: { sweepEvery: "15m" }"#,
      #"history: not built yet: anything but "off""#),
    Fault(
      "currency of a source",
      #"name: "ai_generations""#,
      #"currency: "EUR", name: "ai_generations""#,
      "usage.sources[0].currency: not built yet"),
    Fault(
      "consent left out",
      #"consent: { query: "SELECT granted, at, 'settings', version FROM consent WHERE account_id = $customer ORDER BY at DESC LIMIT 1" },"#,
      "",
      "consent: not built yet: the built-in log that is used without { query: … }"),
    Fault(
      "an app's own block",
      "bundleId:",
      "usage: {}, bundleId:",
      "apps[0].usage: not built yet"),
    Fault(
      "respondAfter",
      #"respondAfter: "0s""#,
      #"respondAfter: "1h""#,
      #"deadline.respondAfter: not built yet: anything but "0s""#),
    Fault(
      "consumptionPercentage",
      "deliveryStatus:",
      "consumptionPercentage: {}, deliveryStatus:",
      "response.consumptionPercentage: not built yet"),
    Fault(
      "holdout",
      "deliveryStatus:",
      "holdout: 0.1, deliveryStatus:",
      "response.holdout: not built yet"),
    Fault(
      "drift",
      "deliveryStatus:",
      "drift: {}, deliveryStatus:",
      "response.drift: not built yet"),
    Fault(
      "deliveryStatus by query",
      #""DELIVERED""#,
      #"{ query: "SELECT 'DELIVERED'", whenUnknown: "DELIVERED" }"#,
      "response.deliveryStatus: not built yet: a query"),
    Fault(
      "sampleContentProvided by query",
      "sampleContentProvided: true",
      #"sampleContentProvided: { query: "SELECT true", whenUnknown: true }"#,
      "response.sampleContentProvided: not built yet: a query"),
    Fault(
      "earlier_requests",
      "cost_share >= 0.5",
      "cost_share >= 0.5 AND earlier_requests > 2",
      "response.refundPreference.rules[2].when: not built yet: earlier_requests"),
    Fault(
      "earlier_refunds",
      "cost_share >= 0.5",
      "EARLIER_REFUNDS>2",
      "response.refundPreference.rules[2].when: not built yet: earlier_refunds"),
  ]
}
