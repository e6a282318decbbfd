import FoundationEssentials
import Simulation
import Testing

@testable import HTTP

/// A certificate authority made for one test, its root in a file.
struct TestAuthority {
  let rootFile: String
  private let issuer: Issuer

  init(rootFile: String = TemporaryFile.path()) throws {
    self.rootFile = rootFile
    let key = try PrivateKey(.p256)
    let root = try Certificate(CertificateProfile("Test root", isAuthority: true), key: key)
    issuer = Issuer(certificate: root, key: key)
    try root.pem.write(toFile: rootFile, atomically: true, encoding: .utf8)
  }

  func server(names: String = "IP:127.0.0.1,DNS:localhost") throws -> TLSServer {
    var profile = CertificateProfile("loopback")
    profile.alternativeNames = names
    let key = try PrivateKey(.p256)
    return try TLSServer(
      certificate: Certificate(profile, key: key, issuer: issuer), key: key)
  }
}

enum TemporaryFile {
  static func path() -> String {
    FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString).pem").path
  }
}

@Suite("TLS")
struct TLSTests {
  @Test("an unknown root is refused before anything is sent, the right one is accepted")
  func roots() async throws {
    let authority = try TestAuthority()
    let other = try TestAuthority()
    let requests = Counter()
    let server = try serving(tls: authority.server()) { _ in
      requests.increase()
      return ServerAnswer(202)
    }
    for roots in [nil, other.rootFile] {
      let client = HTTPClient(maximumConnectionsPerHost: 2, rootsFile: roots)
      let error = await client.send(.put(to: server.port, scheme: "https")).error
      #expect(error?.kind == .tls)
      #expect(error?.mayHaveBeenSent == false)
    }
    #expect(requests.value == 0)
    let client = HTTPClient(maximumConnectionsPerHost: 2, rootsFile: authority.rootFile)
    #expect(await client.send(.put(to: server.port, scheme: "https")).response?.status == 202)
  }

  @Test("a certificate for another name is refused")
  func names() async throws {
    let authority = try TestAuthority()
    let server = try serving(tls: authority.server(names: "DNS:api.example.com")) { _ in
      ServerAnswer(202)
    }
    let client = HTTPClient(maximumConnectionsPerHost: 2, rootsFile: authority.rootFile)
    let error = await client.send(.put(to: server.port, scheme: "https")).error
    #expect(error?.kind == .tls)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("a file of roots that does not exist is an error, not the system's roots")
  func missingFile() async throws {
    let authority = try TestAuthority()
    let server = try serving(tls: authority.server()) { _ in ServerAnswer(202) }
    let client = HTTPClient(maximumConnectionsPerHost: 1, rootsFile: "/nonexistent/roots.pem")
    let error = await client.send(.put(to: server.port, scheme: "https")).error
    #expect(error?.kind == .tls)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("E-04: a file of roots that is replaced works without a restart")
  func replacedRoots() async throws {
    let file = TemporaryFile.path()
    _ = try TestAuthority(rootFile: file)
    let good = try TestAuthority()
    let server = try serving(tls: good.server()) { _ in ServerAnswer(202) }
    let client = HTTPClient(
      maximumConnectionsPerHost: 1, rootsFile: file, rootsKept: .seconds(1))
    #expect(await client.send(.put(to: server.port, scheme: "https")).error?.kind == .tls)

    try String(contentsOfFile: good.rootFile, encoding: .utf8)
      .write(toFile: file, atomically: true, encoding: .utf8)
    let start = ContinuousClock.now
    var status: Int?
    while status == nil, ContinuousClock.now - start < .seconds(10) {
      status = await client.send(.put(to: server.port, scheme: "https")).response?.status
    }
    #expect(status == 202)
  }
}
