// swift-tools-version: 6.2

import PackageDescription

/// What every target is compiled with. A warning is an error: the ones that Swift gives about
/// isolation and ownership are the bugs that this program cannot afford.
let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // Without it a plain `async` function called from an actor on a queue would run on the global
  // pool and block it unseen.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// For the modules that touch C pointers.
let unsafeSettings = settings + [.strictMemorySafety()]

func library(
  _ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = settings
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "consumptiond",
  products: [
    .executable(name: "consumptiond", targets: ["consumptiond"]),
    .executable(name: "AppStoreSimulator", targets: ["AppStoreSimulator"]),
  ],
  targets: [
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    library("PostgreSQL", ["CPostgreSQL"], settings: unsafeSettings),
    library("HTTP", ["CCurl"], settings: unsafeSettings),
    library("Crypto", ["COpenSSL"], settings: unsafeSettings),
    library("AppStore", ["Crypto"]),
    library("Decision", ["AppStore"]),
    .target(
      name: "Schema", resources: [.embedInCode("SQL")], swiftSettings: settings),
    library("Store", ["PostgreSQL", "Schema", "Decision", "AppStore"]),
    library("Daemon", ["Store", "PostgreSQL", "HTTP", "Decision", "AppStore"]),
    .target(
      name: "Simulation", dependencies: ["AppStore", "Crypto", "COpenSSL"],
      swiftSettings: settings, linkerSettings: [.linkedLibrary("ssl")]),

    .executableTarget(
      name: "consumptiond",
      dependencies: ["Daemon", "Store", "PostgreSQL", "HTTP", "Decision", "AppStore", "Crypto"],
      swiftSettings: settings),
    .executableTarget(
      name: "AppStoreSimulator", dependencies: ["Simulation", "AppStore", "Crypto"],
      swiftSettings: settings),

    // A private PostgreSQL server and what else several suites need.
    .target(
      name: "TestSupport", dependencies: ["PostgreSQL"], path: "Tests/TestSupport",
      swiftSettings: settings),
    // Certificates as no authority would issue them.
    .target(
      name: "TestCertificates", dependencies: ["Crypto"], path: "Tests/TestCertificates",
      swiftSettings: settings),
    tests("PostgreSQLTests", ["PostgreSQL", "TestSupport"]),
    tests("HTTPTests", ["HTTP", "Simulation"]),
    tests("CryptoTests", ["Crypto", "COpenSSL", "TestCertificates"]),
    tests("AppStoreTests", ["AppStore", "Crypto", "TestCertificates"]),
    tests("DecisionTests", ["Decision", "AppStore"]),
    tests("SchemaTests", ["Schema", "Store", "PostgreSQL", "TestSupport"]),
    tests("StoreTests", ["Store", "Schema", "PostgreSQL", "Decision", "AppStore", "TestSupport"]),
    tests(
      "DaemonTests",
      [
        "Daemon", "Store", "PostgreSQL", "HTTP", "Simulation", "Decision", "AppStore", "Crypto",
        "TestSupport",
      ]),
    tests("SimulationTests", ["Simulation", "AppStoreSimulator", "HTTP", "AppStore", "Crypto"]),
    tests(
      "consumptiondTests",
      [
        "consumptiond", "Daemon", "Store", "PostgreSQL", "Simulation", "Decision", "AppStore",
        "Crypto", "TestSupport",
      ]),
    tests(
      "EndToEndTests", ["Simulation", "PostgreSQL", "AppStore", "Crypto", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
