import AppStore
import Crypto
import Foundation
import Simulation

/// A configuration file and what lies beside it.
struct BenchConfiguration: Sendable {
  let folder: String
  let key: SigningKey
  let chain: SigningChain
  /// What the file will say.
  var root: JSONObject

  static let keyId = "2X9R4HXF34"
  static let issuerId = "57246542-96fe-1a63-e053-0824d011072a"

  var file: String { folder + "/consumptiond.json" }

  init(folder: String, root: JSONObject = template) throws {
    self.folder = folder
    self.root = root
    key = SigningKey()
    chain = try SigningChain()
  }

  /// Sets what a test did not set itself.
  mutating func complete(database: String, endpoint: JSONValue) {
    if root["database"] == nil { root["database"] = .string(database) }
    guard case .array(let apps)? = root["apps"], var app = apps[0].object else { return }
    app["endpoints"] = ["Production": endpoint, "Sandbox": endpoint]
    root["apps"] = [.object(app)]
  }

  static var template: JSONObject {
    [
      "mode": "answer",
      "trustedRoots": ["root.pem"],
      "apps": [
        [
          "bundleId": "com.example.app",
          "appAppleId": 1_234_567_890,
          "keys": [
            [
              "keyId": .string(Self.keyId), "issuerId": .string(Self.issuerId), "file": "key.p8",
            ]
          ],
          "environments": ["Production", "Sandbox"],
        ]
      ],
      "customer": [
        ["query": "SELECT id FROM account WHERE app_account_token = $app_account_token::uuid"],
        [
          "query":
            "SELECT account_id FROM purchase WHERE original_transaction_id = $original_transaction_id"
        ],
      ],
      "consent": [
        "query": "SELECT granted, at FROM consent WHERE account_id = $customer"
      ],
      "usage": [
        "currency": "USD",
        "sources": [
          [
            "name": "generations",
            "events": [
              "table": "public.generation", "customer": "account_id", "time": "created_at",
              "cost": "cost_usd",
            ],
          ]
        ],
      ],
      "response": [
        "sampleContentProvided": false,
        "deliveryStatus": "DELIVERED",
        "refundPreference": [
          "rules": [
            ["name": "heavy", "when": "cost >= 5", "prefer": "DECLINE"],
            ["name": "unused", "when": "cost = 0", "prefer": "GRANT_FULL"],
          ]
        ],
      ],
    ]
  }

  func makeFiles() throws {
    try chain.rootPEM.write(toFile: folder + "/root.pem", atomically: true, encoding: .utf8)
    try key.pem().write(toFile: folder + "/key.p8", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder + "/key.p8")
  }

  func write(to file: String? = nil) throws {
    try JSONValue.object(root).text.write(
      toFile: file ?? self.file, atomically: true, encoding: .utf8)
  }
}

extension JSONObject {
  /// Reaches into objects: `root["response", "refundPreference"] = nil`.
  subscript(path: String...) -> JSONValue? {
    get { self[path[...]] }
    set { self[path[...]] = newValue }
  }

  private subscript(path: ArraySlice<String>) -> JSONValue? {
    get {
      guard let first = path.first else { return nil }
      let value = self[first]
      return path.count == 1 ? value : value?.object?[path.dropFirst()]
    }
    set {
      guard let first = path.first else { return }
      if path.count == 1 {
        self[first] = newValue
      } else {
        var inner = self[first]?.object ?? [:]
        inner[path.dropFirst()] = newValue
        self[first] = .object(inner)
      }
    }
  }
}
