extension Fault {
  /// The text itself, what stands on top, and the apps.
  static let brokenTop: [Fault] = [
    Fault(
      "unknown key",
      #"history: "off""#,
      #"hisotry: "off""#,
      "hisotry: found an unknown key, expected one of mode, instance, database, listen, allowInsecureDatabase, searchPath, apps, trustedRoots, customer, consent, usage, response, deadline, worker, history, retention"
    ),
    Fault(
      "unknown key in an app",
      "bundleId:",
      "bundelId:",
      "apps[0].bundelId: found an unknown key, expected one of bundleId, appAppleId, environments, keys, endpoints"
    ),
    Fault(
      "unknown key in a source",
      #"table: "public.generation""#,
      #"tabel: "public.generation""#,
      "usage.sources[0].events.tabel: found an unknown key, expected one of table, customer, time, cost, quantity, unitCost, where"
    ),
    Fault(
      "duplicate key",
      "worker: {",
      #"mode: "answer", worker: {"#,
      "mode: found a second time at line 44, column 3, expected once"),
    Fault(
      "duplicate key, quoted otherwise",
      "bundleId:",
      "'bundleId': 'x', bundleId:",
      "apps[0].bundleId: found a second time at line 7, column 22, expected once"),
    Fault(
      "missing comma",
      #"mode: "answer","#,
      #"mode: "answer""#,
      "line 4, column 3: found 'd', expected ',' or '}'"),
    Fault(
      "no value",
      #"mode: "answer","#,
      "mode: ,",
      "line 3, column 9: found ',', expected a value"),
    Fault(
      "unfinished string",
      #"mode: "answer","#,
      #"mode: "answer,"#,
      "line 3, column 17: found the end of the line, expected the end of a string"),
    Fault(
      "unfinished comment",
      "// JSON5",
      "/* JSON5",
      "line 47, column 2: found the end of the file, expected the end of a comment"),
    Fault(
      "a word",
      #"mode: "answer""#,
      "mode: answer",
      "line 3, column 9: found 'a', expected a value"),
    Fault(
      "infinity",
      "unitCost: 0.0004",
      "unitCost: Infinity",
      "line 22, column 48: found 'I', expected a value"),
    Fault(
      "not a number",
      "unitCost: 0.0004",
      "unitCost: NaN",
      "line 22, column 48: found 'N', expected a value"),
    Fault(
      "more digits than Decimal holds",
      "unitCost: 0.0004",
      "unitCost: 0.123456789012345678901234567890123456789",
      "line 22, column 48: found '0', expected a number of at most 38 digits"),
    Fault(
      "mode is required",
      #"mode: "answer","#,
      "",
      #"mode: found nothing, expected "observe" or "answer""#),
    Fault(
      "another mode",
      #"mode: "answer""#,
      #"mode: "respond""#,
      #"mode: found "respond", expected "observe" or "answer""#),
    Fault(
      "mode of another type",
      #"mode: "answer""#,
      "mode: true",
      #"mode: found true, expected "observe" or "answer""#),
    Fault(
      "A-17: no appAppleId with Production",
      "appAppleId: 1234567890,",
      "",
      "apps[0].appAppleId: found nothing, expected the app's Apple id, since Production is served"),
    Fault(
      "appAppleId as text",
      "appAppleId: 1234567890",
      #"appAppleId: "1234567890""#,
      #"apps[0].appAppleId: found "1234567890", expected a whole number of at least 1"#),
    Fault(
      "appAppleId with a fraction",
      "appAppleId: 1234567890",
      "appAppleId: 1234567890.5",
      "apps[0].appAppleId: found 1234567890.5, expected a whole number of at least 1"),
    Fault(
      "a bundle id with a space",
      "com.example.app",
      "com example app",
      #"apps[0].bundleId: found "com example app", expected letters, digits, '.' and '-'"#),
    Fault(
      "A-31: an unsigned environment",
      #"["Production", "Sandbox"]"#,
      #"["Production", "Xcode"]"#,
      #"apps[0].environments[1]: found "Xcode", expected "Production" or "Sandbox""#),
    Fault(
      "A-14: an environment in another spelling",
      #"["Production", "Sandbox"]"#,
      #"["PRODUCTION"]"#,
      #"apps[0].environments[0]: found "PRODUCTION", expected "Production" or "Sandbox""#),
    Fault(
      "no environments",
      #"["Production", "Sandbox"]"#,
      "[]",
      #"apps[0].environments: found an empty list, expected a list of "Production", "Sandbox""#),
    Fault(
      "an environment twice",
      #"["Production", "Sandbox"]"#,
      #"["Sandbox", "Sandbox"]"#,
      #"apps[0].environments[1]: found "Sandbox" a second time, expected once"#),
    Fault(
      "a missing key file",
      "keys/AuthKey.p8",
      "keys/Other.p8",
      "apps[0].keys[0].file: no such file: keys/Other.p8"),
    Fault(
      "a key file that is no key",
      "keys/AuthKey.p8",
      "root.pem",
      "apps[0].keys[0].file: root.pem: not a private key in PEM; expected the .p8 file of an In-App Purchase key"
    ),
    Fault(
      "a folder for a key file",
      "keys/AuthKey.p8",
      "keys",
      "apps[0].keys[0].file: cannot be read: keys"),
    Fault(
      "an issuer that is no UUID",
      "57246542-96fe-1a63-e053-0824d011072a",
      "57246542",
      #"apps[0].keys[0].issuerId: found "57246542", expected a UUID"#),
    Fault(
      "a key id with a slash",
      "2X9R4HXF34",
      "2X9R/HXF34",
      #"apps[0].keys[0].keyId: found "2X9R/HXF34", expected letters and digits"#),
    Fault(
      "an unknown variable in a path",
      "keys/AuthKey.p8",
      "${HOME}/AuthKey.p8",
      "apps[0].keys[0].file: found ${HOME}, expected no variable but ${CREDENTIALS_DIRECTORY}"),
    Fault(
      "an unset variable in a path",
      "keys/AuthKey.p8",
      "${CREDENTIALS_DIRECTORY}/AuthKey.p8",
      "apps[0].keys[0].file: no such environment variable: CREDENTIALS_DIRECTORY"),
    Fault(
      "an unset environment variable",
      #"keyId: "2X9R4HXF34""#,
      #"keyId: { env: "KEY_ID" }"#,
      "apps[0].keys[0].keyId.env: no such environment variable: KEY_ID"),
    Fault(
      "a missing file for a string",
      #"keyId: "2X9R4HXF34""#,
      #"keyId: { file: "key-id" }"#,
      "apps[0].keys[0].keyId.file: no such file: key-id"),
    Fault(
      "a reference to both",
      #"keyId: "2X9R4HXF34""#,
      #"keyId: { env: "A", file: "b" }"#,
      "apps[0].keys[0].keyId: found an object, expected either env or file"),
  ]
}
