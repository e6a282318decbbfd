import AppStore
import Crypto
import FoundationEssentials

/// `consumptiond verify [FILE|-] [--root FILE] [--json]`
struct VerifyCommand {
  let config: String?
  let source: InputSource
  let root: String?
  let json: Bool

  func run(_ output: inout Output) throws(CommandFailure) {
    let policy: VerificationPolicy?
    do throws(ConfigurationError) {
      policy = try ConfigurationFile.loadVerification(
        config, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw error.failure
    }
    let anchors = try root.map(Self.anchors) ?? policy?.anchors ?? .appleRootCAG3
    let payload = SignedPayload.extract(try InputReader.text(source))
    guard !payload.isEmpty else { throw InputReader.failure(source, "nothing in it") }
    var verifier = NotificationVerifier(anchors: anchors, apps: policy?.apps)
    switch Self.verdict(payload, &verifier) {
    case .success(let verified):
      let report = VerificationReport(verified, configuration: policy?.file)
      if json { return try output.line(report.json.text) }
      try output.lines(report.lines(output.style, width: output.width, now: .now()))
    case .failure(let error):
      if json { try output.line(VerificationReport.json(error).text) }
      throw InputReader.failure(source, "does not hold: \(Printable.text(error.description))")
    }
  }

  private static func verdict(
    _ payload: String, _ verifier: inout NotificationVerifier
  ) -> Result<VerifiedNotification, SignedPayloadError> {
    do throws(SignedPayloadError) {
      return .success(try verifier.verify(payload, now: .now()))
    } catch {
      return .failure(error)
    }
  }

  private static func anchors(_ file: String) throws(CommandFailure) -> TrustAnchors {
    let bytes = try InputReader.contents(of: file)
    do throws(CryptoError) {
      return try TrustAnchors(certificates: [bytes])
    } catch {
      throw InputReader.failure(.file(file), error.message)
    }
  }
}
