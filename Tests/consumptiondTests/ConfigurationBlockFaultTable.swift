extension Fault {
  /// Queries, usage, the response and settings.
  static let brokenBlocks: [Fault] = [
    Fault(
      "an unknown parameter",
      "$app_account_token::uuid",
      "$app_acount_token::uuid",
      "customer[0].query: found unknown parameter $app_acount_token, expected one of $app_account_token, $original_transaction_id, $transaction_id, $app_transaction_id, $product_id, $bundle_id, $environment"
    ),
    Fault(
      "a positional parameter",
      "$app_account_token::uuid",
      "$1",
      "customer[0].query: found $1, expected named parameters"),
    Fault(
      "$customer before the customer is known",
      "$app_account_token::uuid",
      "$customer",
      "customer[0].query: found unknown parameter $customer, expected one of $app_account_token, $original_transaction_id, $transaction_id, $app_transaction_id, $product_id, $bundle_id, $environment"
    ),
    Fault(
      "two statements",
      #"LIMIT 1" }"#,
      #"LIMIT 1; DELETE FROM consent" }"#,
      "consent.query: found a second statement after ';', expected one query"),
    Fault(
      "a string in SQL without end",
      "'settings'",
      "'settings",
      "consent.query: found a string that does not end, expected its end"),
    Fault(
      "an empty query",
      #""SELECT id FROM account WHERE app_account_token = $app_account_token::uuid""#,
      #""-- later""#,
      "customer[0].query: found no statement, expected one query"),
    Fault(
      "a query of another type",
      #"consent: { query: "SELECT granted, at, 'settings', version FROM consent WHERE account_id = $customer ORDER BY at DESC LIMIT 1" }"#,
      #"consent: "SELECT true""#,
      #"consent: found "SELECT true", expected an object with query"#),
    Fault(
      "usage.currency is required",
      #"currency: "USD","#,
      "",
      "usage.currency: found nothing, expected the currency of the sources"),
    Fault(
      "a currency in another spelling",
      #"currency: "USD""#,
      #"currency: "usd""#,
      #"usage.currency: found "usd", expected an ISO 4217 code such as "USD""#),
    Fault(
      "a source's name with a capital",
      #"name: "ai_generations""#,
      #"name: "aiGenerations""#,
      #"usage.sources[0].name: found "aiGenerations", expected a lower-case letter, then at most 50 of a-z, 0-9 and _"#
    ),
    Fault(
      "a source named like a keyword",
      #"name: "ai_generations""#,
      #"name: "select""#,
      #"usage.sources[0].name: found "select", expected a name that is no SQL keyword"#),
    Fault(
      "a source named like a fact",
      #"name: "ai_generations""#,
      #"name: "price""#,
      #"usage.sources[0].name: found "price", expected a name that is no built-in fact"#),
    Fault(
      "a source named like another's cost",
      #"name: "api_calls""#,
      #"name: "ai_generations_cost""#,
      #"usage.sources[1].name: found "ai_generations_cost", expected a name apart from those of source ai_generations"#
    ),
    Fault(
      "a source twice",
      #"name: "api_calls""#,
      #"name: "ai_generations""#,
      #"usage.sources[1].name: found "ai_generations", expected a name apart from those of source ai_generations"#
    ),
    Fault(
      "events without amount",
      #", cost: "cost_usd""#,
      "",
      "usage.sources[0].events: found neither, expected either cost or quantity"),
    Fault(
      "cost and quantity",
      #"cost: "cost_usd""#,
      #"cost: "cost_usd", quantity: "n""#,
      "usage.sources[0].events: found both, expected either cost or quantity"),
    Fault(
      "quantity without unitCost",
      "unitCost: 0.0004, ",
      "",
      "usage.sources[1].events.unitCost: found nothing, expected a number of at least 0"),
    Fault(
      "a unitCost as text",
      "unitCost: 0.0004",
      #"unitCost: "0.0004""#,
      #"usage.sources[1].events.unitCost: found "0.0004", expected a number of at least 0"#),
    Fault(
      "a negative unitCost",
      "unitCost: 0.0004",
      "unitCost: -1",
      "usage.sources[1].events.unitCost: found -1, expected a number of at least 0"),
    Fault(
      "neither events nor query",
      #"name: "ai_generations", events: { table: "public.generation", customer: "account_id", time: "created_at", cost: "cost_usd" }"#,
      #"name: "ai_generations""#,
      "usage.sources[0]: found none, expected one of events, level, query"),
    Fault(
      "events and query",
      #"name: "ai_generations""#,
      #"query: "SELECT 1, 1", name: "ai_generations""#,
      "usage.sources[0]: found events and query, expected one of events, level, query"),
    Fault(
      "a table of another type",
      #""public.generation""#,
      "42",
      "usage.sources[0].events.table: found 42, expected a string"),
    Fault(
      "a database of another type",
      #"database: "host=/run/postgresql dbname=app user=consumptiond""#,
      #"database: ["a", "b"]"#,
      "database: found a list, expected a libpq conninfo or URI"),
    Fault(
      "a database that libpq cannot read",
      "host=/run/postgresql dbname",
      "s3cret host",
      "database: found what libpq cannot read, expected a libpq conninfo or URI"),
    Fault(
      "a listen that libpq cannot read",
      "host=db1 dbname",
      "s3cret host",
      "listen: found what libpq cannot read, expected a libpq conninfo or URI"),
    Fault(
      "an empty string",
      #""host=/run/postgresql dbname=app user=consumptiond""#,
      #""""#,
      #"database: found "", expected a libpq conninfo or URI"#),
    Fault(
      "two apps of one bundle id",
      "apps: [{",
      #"apps: [{ bundleId: "com.example.app", environments: ["Sandbox"], keys: [{ keyId: "K", issuerId: "57246542-96fe-1a63-e053-0824d011072a", file: "keys/AuthKey.p8" }] }, {"#,
      #"apps[1].bundleId: found "com.example.app" a second time, expected once"#),
    Fault(
      "a time zone beside a query",
      #"query: "SELECT coalesce"#,
      #"timeZone: "UTC", query: "SELECT coalesce"#,
      "usage.sources[3].timeZone: found beside query, expected beside events or level"),
    Fault(
      "sampleContentProvided is required",
      "sampleContentProvided: true,",
      "",
      "response.sampleContentProvided: found nothing, expected true or false"),
    Fault(
      "sampleContentProvided as text",
      "sampleContentProvided: true",
      #"sampleContentProvided: "true""#,
      #"response.sampleContentProvided: found "true", expected true or false"#),
    Fault(
      "deliveryStatus is required",
      #"deliveryStatus: "DELIVERED","#,
      "",
      "response.deliveryStatus: found nothing, expected one of Apple's words"),
    Fault(
      "an unknown delivery status",
      #""DELIVERED""#,
      #""delivered""#,
      #"response.deliveryStatus: found "delivered", expected one of "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER""#
    ),
    Fault(
      "an unknown choice",
      #"prefer: "DECLINE""#,
      #"prefer: "REFUSE""#,
      #"response.refundPreference.rules[2].prefer: found "REFUSE", expected one of "DECLINE", "GRANT_FULL", "GRANT_PRORATED", "NONE", "NO_ANSWER", "REVIEW""#
    ),
    Fault(
      "a rule twice",
      #"name: "never used""#,
      #"name: "legal or broken""#,
      #"response.refundPreference.rules[1].name: found "legal or broken" a second time, expected once"#
    ),
    Fault(
      "a rule without expression",
      #"when: "cost_share >= 0.5", "#,
      "",
      "response.refundPreference.rules[2].when: found nothing, expected a boolean expression over the facts"
    ),
    Fault(
      "a duration in words",
      #"decideBy: "30m""#,
      #"decideBy: "30 minutes""#,
      #"deadline.decideBy: found "30 minutes", expected a duration such as "15s", "30m", "6h" or "7d""#
    ),
    Fault(
      "a duration without unit",
      #"decideBy: "30m""#,
      #"decideBy: "30""#,
      #"deadline.decideBy: found "30", expected a duration such as "15s", "30m", "6h" or "7d""#),
    Fault(
      "a duration as a number",
      #"decideBy: "30m""#,
      "decideBy: 30",
      #"deadline.decideBy: found 30, expected a duration such as "15s", "30m", "6h" or "7d""#),
    Fault(
      "a duration longer than the window",
      #""6h""#,
      #""13h""#,
      #"deadline.alertWhenLeft[0]: found "13h", expected a duration from "1s" to "12h""#),
    Fault(
      "requestTimeout longer than the lease allows",
      #"requestTimeout: "15s""#,
      #"requestTimeout: "16s""#,
      #"worker.requestTimeout: found "16s", expected a duration from "1s" to "15s""#),
    Fault(
      "too much concurrency",
      "concurrency: 16",
      "concurrency: 65",
      "worker.concurrency: found 65, expected a whole number from 1 to 64"),
    Fault(
      "no concurrency",
      "concurrency: 16",
      "concurrency: 0",
      "worker.concurrency: found 0, expected a whole number from 1 to 64"),
    Fault(
      "retention shorter than a request may live",
      #"payloads: "7d""#,
      #"payloads: "1h""#,
      #"retention.payloads: found "1h", expected a duration from "1d" to "36500d""#),
    Fault(
      "endpoints without trustedRoots",
      "environments: [",
      #"endpoints: { Production: "http://127.0.0.1:1" }, environments: ["#,
      "apps[0].endpoints: found without trustedRoots, expected only together with it"),
    Fault(
      "plain http elsewhere",
      "environments: [",
      #"endpoints: { Production: "http://10.0.0.1" }, environments: ["#,
      #"apps[0].endpoints.Production: found "http://10.0.0.1", expected https, or a loopback address"#,
      trusting: true),
    Fault(
      "another scheme",
      "environments: [",
      #"endpoints: { Production: "ftp://127.0.0.1" }, environments: ["#,
      #"apps[0].endpoints.Production: found "ftp://127.0.0.1", expected http:// or https://, a host and a port"#,
      trusting: true),
    Fault(
      "an endpoint of no environment",
      "environments: [",
      #"endpoints: { Xcode: "http://127.0.0.1" }, environments: ["#,
      "apps[0].endpoints.Xcode: found an unknown key, expected one of Production, Sandbox",
      trusting: true),
    Fault(
      "roots that are none",
      "environments: [",
      #"endpoints: { Sandbox: { url: "https://a.example", roots: "keys/AuthKey.p8" } }, environments: ["#,
      "apps[0].endpoints.Sandbox.roots: not a PEM file of certificates: keys/AuthKey.p8",
      trusting: true),
    Fault(
      "a missing root",
      "customer: [",
      #"trustedRoots: ["other.pem"], customer: ["#,
      "trustedRoots[0]: no such file: other.pem"),
    Fault(
      "a root that is no certificate",
      "customer: [",
      #"trustedRoots: ["keys/AuthKey.p8"], customer: ["#,
      "trustedRoots[0]: keys/AuthKey.p8: not a certificate, neither in PEM nor in DER"),
    Fault(
      "the same key twice",
      "keys: [{",
      #"keys: [{ keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a", file: "keys/AuthKey.p8" }, {"#,
      #"apps[0].keys[1].keyId: found "2X9R4HXF34" a second time, expected once"#),
    Fault(
      "a test of a fact that is none",
      #"otherwise: "NONE""#,
      #"tests: [{ facts: { csot: 1 }, expect: "NONE" }]"#,
      "response.refundPreference.tests[0].facts.csot: found no fact of that name, expected cost"),
    Fault(
      "a test with a fact of another type",
      #"otherwise: "NONE""#,
      #"tests: [{ facts: { cost: 1, free_trial: "no" }, expect: "NONE" }]"#,
      #"response.refundPreference.tests[0].facts.free_trial: found "no", expected true, false or null"#
    ),
    Fault(
      "a test that expects nothing",
      #"otherwise: "NONE""#,
      #"tests: [{ facts: { ai_generations_cost: 1 } }]"#,
      "response.refundPreference.tests[0].expect: found nothing, expected what the rules lead to"),
    Fault(
      "an instance with a blank",
      #"history: "off""#,
      #"instance: "my production""#,
      #"instance: found "my production", expected a name of letters, digits, '.', '_' and '-'"#),
    Fault(
      "null",
      #"history: "off""#,
      "history: null",
      #"history: found null, expected "off""#),
  ]
}
