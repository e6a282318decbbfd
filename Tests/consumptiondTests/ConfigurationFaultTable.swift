extension Fault {
  static let broken: [Fault] = [
    Fault(
      "unknown key",
      #"history: "off""#,
      #"hisotry: "off""#,
      ""),
    Fault(
      "unknown key in an app",
      "bundleId:",
      "bundelId:",
      ""),
    Fault(
      "unknown key in a source",
      #"table: "public.generation""#,
      #"tabel: "public.generation""#,
      ""),
    Fault(
      "duplicate key",
      "worker: {",
      #"mode: "answer", worker: {"#,
      ""),
    Fault(
      "duplicate key, quoted otherwise",
      "bundleId:",
      "'bundleId': 'x', bundleId:",
      ""),
    Fault(
      "missing comma",
      #"mode: "answer","#,
      #"mode: "answer""#,
      ""),
    Fault(
      "no value",
      #"mode: "answer","#,
      "mode: ,",
      ""),
    Fault(
      "unfinished string",
      #"mode: "answer","#,
      #"mode: "answer,"#,
      ""),
    Fault(
      "unfinished comment",
      "// JSON5",
      "/* JSON5",
      ""),
    Fault(
      "a word",
      #"mode: "answer""#,
      "mode: answer",
      ""),
    Fault(
      "infinity",
      "unitCost: 0.0004",
      "unitCost: Infinity",
      ""),
    Fault(
      "not a number",
      "unitCost: 0.0004",
      "unitCost: NaN",
      ""),
    Fault(
      "more digits than Decimal holds",
      "unitCost: 0.0004",
      "unitCost: 0.123456789012345678901234567890123456789",
      ""),
    Fault(
      "mode is required",
      #"mode: "answer","#,
      "",
      ""),
    Fault(
      "another mode",
      #"mode: "answer""#,
      #"mode: "respond""#,
      ""),
    Fault(
      "mode of another type",
      #"mode: "answer""#,
      "mode: true",
      ""),
    Fault(
      "A-17: no appAppleId with Production",
      "appAppleId: 1234567890,",
      "",
      ""),
    Fault(
      "appAppleId as text",
      "appAppleId: 1234567890",
      #"appAppleId: "1234567890""#,
      ""),
    Fault(
      "appAppleId with a fraction",
      "appAppleId: 1234567890",
      "appAppleId: 1234567890.5",
      ""),
    Fault(
      "a bundle id with a space",
      "com.example.app",
      "com example app",
      ""),
    Fault(
      "A-31: an unsigned environment",
      #"["Production", "Sandbox"]"#,
      #"["Production", "Xcode"]"#,
      ""),
    Fault(
      "A-14: an environment in another spelling",
      #"["Production", "Sandbox"]"#,
      #"["PRODUCTION"]"#,
      ""),
    Fault(
      "no environments",
      #"["Production", "Sandbox"]"#,
      "[]",
      ""),
    Fault(
      "an environment twice",
      #"["Production", "Sandbox"]"#,
      #"["Sandbox", "Sandbox"]"#,
      ""),
    Fault(
      "a missing key file",
      "keys/AuthKey.p8",
      "keys/Other.p8",
      ""),
    Fault(
      "a key file that is no key",
      "keys/AuthKey.p8",
      "root.pem",
      ""),
    Fault(
      "a folder for a key file",
      "keys/AuthKey.p8",
      "keys",
      ""),
    Fault(
      "an issuer that is no UUID",
      "57246542-96fe-1a63-e053-0824d011072a",
      "57246542",
      ""),
    Fault(
      "a key id with a slash",
      "2X9R4HXF34",
      "2X9R/HXF34",
      ""),
    Fault(
      "an unknown variable in a path",
      "keys/AuthKey.p8",
      "${HOME}/AuthKey.p8",
      ""),
    Fault(
      "an unset variable in a path",
      "keys/AuthKey.p8",
      "${CREDENTIALS_DIRECTORY}/AuthKey.p8",
      ""),
    Fault(
      "an unset environment variable",
      #"keyId: "2X9R4HXF34""#,
      #"keyId: { env: "KEY_ID" }"#,
      ""),
    Fault(
      "a missing file for a string",
      #"keyId: "2X9R4HXF34""#,
      #"keyId: { file: "key-id" }"#,
      ""),
    Fault(
      "a reference to both",
      #"keyId: "2X9R4HXF34""#,
      #"keyId: { env: "A", file: "b" }"#,
      ""),
    Fault(
      "an unknown parameter",
      "$app_account_token::uuid",
      "$app_acount_token::uuid",
      ""),
    Fault(
      "a positional parameter",
      "$app_account_token::uuid",
      "$1",
      ""),
    Fault(
      "$customer before the customer is known",
      "$app_account_token::uuid",
      "$customer",
      ""),
    Fault(
      "two statements",
      #"LIMIT 1" }"#,
      #"LIMIT 1; DELETE FROM consent" }"#,
      ""),
    Fault(
      "a string in SQL without end",
      "'settings'",
      "'settings",
      ""),
    Fault(
      "an empty query",
      #""SELECT id FROM account WHERE app_account_token = $app_account_token::uuid""#,
      #""-- later""#,
      ""),
    Fault(
      "a query of another type",
      #"consent: { query: "SELECT granted, at, 'settings', version FROM consent WHERE account_id = $customer ORDER BY at DESC LIMIT 1" }"#,
      #"consent: "SELECT true""#,
      ""),
    Fault(
      "usage.currency is required",
      #"currency: "USD","#,
      "",
      ""),
    Fault(
      "a currency in another spelling",
      #"currency: "USD""#,
      #"currency: "usd""#,
      ""),
    Fault(
      "a source's name with a capital",
      #"name: "ai_generations""#,
      #"name: "aiGenerations""#,
      ""),
    Fault(
      "a source named like a keyword",
      #"name: "ai_generations""#,
      #"name: "select""#,
      ""),
    Fault(
      "a source named like a fact",
      #"name: "ai_generations""#,
      #"name: "price""#,
      ""),
    Fault(
      "a source named like another's cost",
      #"name: "api_calls""#,
      #"name: "ai_generations_cost""#,
      ""),
    Fault(
      "a source twice",
      #"name: "api_calls""#,
      #"name: "ai_generations""#,
      ""),
    Fault(
      "events without amount",
      #", cost: "cost_usd""#,
      "",
      ""),
    Fault(
      "cost and quantity",
      #"cost: "cost_usd""#,
      #"cost: "cost_usd", quantity: "n""#,
      ""),
    Fault(
      "quantity without unitCost",
      "unitCost: 0.0004, ",
      "",
      ""),
    Fault(
      "a unitCost as text",
      "unitCost: 0.0004",
      #"unitCost: "0.0004""#,
      ""),
    Fault(
      "a negative unitCost",
      "unitCost: 0.0004",
      "unitCost: -1",
      ""),
    Fault(
      "neither events nor query",
      #"name: "ai_generations", events: { table: "public.generation", customer: "account_id", time: "created_at", cost: "cost_usd" }"#,
      #"name: "ai_generations""#,
      ""),
    Fault(
      "events and query",
      #"name: "ai_generations""#,
      #"query: "SELECT 1, 1", name: "ai_generations""#,
      ""),
    Fault(
      "a table of another type",
      #""public.generation""#,
      "42",
      ""),
    Fault(
      "a database of another type",
      #"database: "host=/run/postgresql dbname=app user=consumptiond""#,
      #"database: ["a", "b"]"#,
      ""),
    Fault(
      "a database that libpq cannot read",
      "host=/run/postgresql dbname",
      "s3cret host",
      ""),
    Fault(
      "a listen that libpq cannot read",
      "host=db1 dbname",
      "postgres:// s3cret",
      ""),
    Fault(
      "an empty string",
      #""host=/run/postgresql dbname=app user=consumptiond""#,
      #""""#,
      ""),
    Fault(
      "two apps of one bundle id",
      "apps: [{",
      #"apps: [{ bundleId: "com.example.app", environments: ["Sandbox"], keys: [{ keyId: "K", issuerId: "57246542-96fe-1a63-e053-0824d011072a", file: "keys/AuthKey.p8" }] }, {"#,
      ""),
    Fault(
      "a time zone beside a query",
      #"query: "SELECT coalesce"#,
      #"timeZone: "UTC", query: "SELECT coalesce"#,
      ""),
    Fault(
      "sampleContentProvided is required",
      "sampleContentProvided: true,",
      "",
      ""),
    Fault(
      "sampleContentProvided as text",
      "sampleContentProvided: true",
      #"sampleContentProvided: "true""#,
      ""),
    Fault(
      "deliveryStatus is required",
      #"deliveryStatus: "DELIVERED","#,
      "",
      ""),
    Fault(
      "an unknown delivery status",
      #""DELIVERED""#,
      #""delivered""#,
      ""),
    Fault(
      "an unknown choice",
      #"prefer: "DECLINE""#,
      #"prefer: "REFUSE""#,
      ""),
    Fault(
      "a rule twice",
      #"name: "never used""#,
      #"name: "legal or broken""#,
      ""),
    Fault(
      "a rule without expression",
      #"when: "cost_share >= 0.5", "#,
      "",
      ""),
    Fault(
      "a duration in words",
      #"decideBy: "30m""#,
      #"decideBy: "30 minutes""#,
      ""),
    Fault(
      "a duration without unit",
      #"decideBy: "30m""#,
      #"decideBy: "30""#,
      ""),
    Fault(
      "a duration as a number",
      #"decideBy: "30m""#,
      "decideBy: 30",
      ""),
    Fault(
      "a duration longer than the window",
      #""6h""#,
      #""13h""#,
      ""),
    Fault(
      "requestTimeout longer than the lease allows",
      #"requestTimeout: "15s""#,
      #"requestTimeout: "16s""#,
      ""),
    Fault(
      "too much concurrency",
      "concurrency: 16",
      "concurrency: 65",
      ""),
    Fault(
      "no concurrency",
      "concurrency: 16",
      "concurrency: 0",
      ""),
    Fault(
      "retention shorter than a request may live",
      #"payloads: "7d""#,
      #"payloads: "1h""#,
      ""),
    Fault(
      "endpoints without trustedRoots",
      "environments: [",
      #"endpoints: { Production: "http://127.0.0.1:1" }, environments: ["#,
      ""),
    Fault(
      "plain http elsewhere",
      "environments: [",
      #"endpoints: { Production: "http://10.0.0.1" }, environments: ["#,
      "", trusting: true),
    Fault(
      "another scheme",
      "environments: [",
      #"endpoints: { Production: "ftp://127.0.0.1" }, environments: ["#,
      "", trusting: true),
    Fault(
      "an endpoint of no environment",
      "environments: [",
      #"endpoints: { Xcode: "http://127.0.0.1" }, environments: ["#,
      "", trusting: true),
    Fault(
      "roots that are none",
      "environments: [",
      #"endpoints: { Sandbox: { url: "https://a.example", roots: "keys/AuthKey.p8" } }, environments: ["#,
      "", trusting: true),
    Fault(
      "a missing root",
      "customer: [",
      #"trustedRoots: ["other.pem"], customer: ["#,
      ""),
    Fault(
      "a root that is no certificate",
      "customer: [",
      #"trustedRoots: ["keys/AuthKey.p8"], customer: ["#,
      ""),
    Fault(
      "null",
      #"history: "off""#,
      "history: null",
      ""),
  ]
}
