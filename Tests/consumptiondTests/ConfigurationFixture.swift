import Crypto
import FoundationEssentials

@testable import consumptiond

/// A folder with a configuration and the files that it names, removed with the value.
final class ConfigurationFixture {
  let folder: String
  var file: String { folder + "/consumptiond.json" }

  init(_ text: String = sample, files: [String: String] = [:]) throws {
    folder =
      FileManager.default.temporaryDirectory.path
      + "/consumptiond-configuration-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/keys", withIntermediateDirectories: true)
    var files = files
    files["consumptiond.json"] = text
    files["keys/AuthKey.p8"] = try SigningKey().pem()
    files["root.pem"] = Self.root
    for (name, content) in files {
      try Data(content.utf8).write(to: URL(filePath: folder + "/" + name))
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func load(_ environment: [String: String] = [:]) throws -> Configuration {
    try ConfigurationFile.load(file, environment: environment)
  }

  /// The line that the program ends with, with the folder's own name taken out.
  func fault(_ environment: [String: String] = [:]) -> String? {
    do {
      _ = try load(environment)
      return nil
    } catch {
      return "\(error)".replacing(folder + "/", with: "")
    }
  }

  /// The design's sample, as far as it is built.
  static let sample = """
    // JSON5: comments, unquoted keys, trailing commas
    {
      mode: "answer",
      database: "host=/run/postgresql dbname=app user=consumptiond",
      listen: "host=db1 dbname=app user=consumptiond",
      apps: [{
        bundleId: "com.example.app",
        appAppleId: 1234567890,
        environments: ["Production", "Sandbox"],
        keys: [{ keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a", file: "keys/AuthKey.p8" }],
      }],
      customer: [
        { query: "SELECT id FROM account WHERE app_account_token = $app_account_token::uuid" },
        { query: "SELECT account_id FROM purchase WHERE original_transaction_id = $original_transaction_id" },
      ],
      consent: { query: "SELECT granted, at, 'settings', version FROM consent WHERE account_id = $customer ORDER BY at DESC LIMIT 1" },
      usage: {
        currency: "USD",
        sources: [
          { name: "ai_generations", events: { table: "public.generation", customer: "account_id", time: "created_at", cost: "cost_usd" }, settle: "10m" },
          { name: "api_calls", events: { table: "public.api_call", customer: "account_id", time: "called_at", quantity: "units",
                                         unitCost: 0.0004, where: "NOT internal" } },
          { name: "storage", level: { table: "public.storage_level", customer: "account_id", time: "taken_at", level: "bytes",
                                      series: "bucket_id", before: "zero", unit: 1073741824, unitCostPerMonth: 0.023 },
            fresh: { query: "SELECT max(taken_at) FROM storage_level", within: "26h" } },
          { name: "transcription", query: "SELECT coalesce(sum(minutes), 0), coalesce(sum(minutes), 0) * 0.006 FROM transcript WHERE owner = $customer AND done_at >= $from AND done_at < $until" },
        ],
      },
      response: {
        sampleContentProvided: true,
        deliveryStatus: "DELIVERED",
        refundPreference: {
          rules: [
            { name: "legal or broken", when: "reason IS NULL OR reason NOT IN ('UNINTENDED_PURCHASE', 'OTHER')", prefer: "NONE" },
            { name: "never used", when: "cost = 0 AND asked_after < interval '7 days'", prefer: "GRANT_FULL" },
            { name: "cost us the price", when: "cost_share >= 0.5", prefer: "DECLINE" },
            { name: "running month", when: "period_position = 'current' AND elapsed BETWEEN 0.1 AND 0.9", prefer: "GRANT_PRORATED" },
          ],
          otherwise: "NONE",
          whenUnknown: "NONE",
        },
      },
      deadline: { decideBy: "30m", alertWhenLeft: ["6h", "2h", "45m"], respondAfter: "0s" },
      worker: { concurrency: 16, requestTimeout: "15s", queryTimeout: "10s" },
      history: "off",
      retention: { payloads: "7d", evidence: "400d", rejected: "14d" },
    }
    """

  /// A root certificate made for this test; its key is gone.
  static let root = """
    -----BEGIN CERTIFICATE-----
    MIIBjjCCATWgAwIBAgIUNVyB5d1Rg1ldhwXjnV7Luilv/PswCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJVGVzdCBSb290MCAXDTI2MTEzMDIwMjg1NFoYDzIxMjYxMTA2
    MjAyODU0WjAUMRIwEAYDVQQDDAlUZXN0IFJvb3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQipsRlASx/Sg7ZGCb6W/ldbZYVDOcSKh3hBxh/Gs0faFgmASStuQ/b
    pm++J9Nb61QfJSZLUR5IsoEMGoP+9Ho9o2MwYTAdBgNVHQ4EFgQUT/Z00pv5B0iw
    C6ZaaFvXJOXMbHIwHwYDVR0jBBgwFoAUT/Z00pv5B0iwC6ZaaFvXJOXMbHIwDwYD
    VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDRwAwRAIg
    MMxVmCWkYCnd4KuoeLjS61qmM+hSBQ9ssFatYKS0WPUCIDABpwq7octoGa5ePCQz
    PqmbE44fxCPiPIkJ+WK6zgB4
    -----END CERTIFICATE-----
    """
}
