import Simulation

/// An authority for 127.0.0.1, for a stand-in that speaks TLS.
struct LoopbackAuthority {
  private let key: PrivateKey
  private let certificate: Certificate

  init() throws {
    key = try PrivateKey(.p256)
    certificate = try Certificate(
      CertificateProfile("Bench CA - NOT APPLE", isAuthority: true), key: key)
  }

  /// What a client has to trust.
  var pem: String { certificate.pem }

  func server() throws -> TLSServer {
    var profile = CertificateProfile("127.0.0.1")
    profile.alternativeNames = "IP:127.0.0.1"
    let serverKey = try PrivateKey(.p256)
    return try TLSServer(
      certificate: Certificate(
        profile, key: serverKey, issuer: Issuer(certificate: certificate, key: key)),
      key: serverKey)
  }
}
