import AppStore
import Daemon
import Decision
import FoundationEssentials
import PostgreSQL
import Store

/// `consumptiond preview ID|FILE [--json]`
struct PreviewCommand {
  let config: String?
  let subject: PreviewSubject
  let json: Bool

  private enum Found {
    case preview(PreviewPage)
    /// Not to be previewed, and why.
    case failure(CommandFailure)
    case several([String])
    case none(RequestRecord.Fate?)
  }

  /// What is written to the database: nothing.
  func run(_ output: inout Output) throws(CommandFailure) {
    let loaded = try LoadedConfiguration(config)
    let payload = try self.payload()
    let found = try Connecting.use(loaded.database, as: .preview) {
      connection throws(PostgresError) in
      try find(loaded, payload, on: &connection)
    }
    switch found {
    case .failure(let failure): throw failure
    case .several(let texts): throw try RequestNaming.list(texts, word, &output)
    case .none(let fate): throw RequestNaming.failure(word, fate)
    case .preview(let page):
      if json { return try output.line(page.json.text) }
      try output.lines(page.lines(output.style, width: output.width))
    }
  }

  private var word: String { if case .request(let word) = subject { word } else { "" } }

  private func payload() throws(CommandFailure) -> String? {
    guard case .payload(let source) = subject else { return nil }
    let payload = SignedPayload.extract(try InputReader.text(source))
    guard !payload.isEmpty else { throw InputReader.failure(source, "nothing in it") }
    return payload
  }

  private func find(
    _ loaded: LoadedConfiguration, _ payload: String?, on connection: inout Connection
  ) throws(PostgresError) -> Found {
    if let complaint = try Migrator.complaint(&connection) {
      return .failure(CommandFailure(code: .configuration, message: "database: \(complaint)"))
    }
    let work: Work
    switch subject {
    case .request(let word):
      switch try RequestNaming.find(word, on: &connection) {
      case .several(let texts): return .several(texts)
      case .none(let fate): return .none(fate)
      case .one(let id):
        switch try open(id, on: &connection) {
        case .success(let found): work = found
        case .failure(let failure): return .failure(failure)
        }
      }
    case .payload(let source):
      let now = try RequestRecord.now(on: &connection)
      switch verified(payload ?? "", source, loaded.configuration, now) {
      case .failure(let failure): return .failure(failure)
      case .success(let verified):
        guard let made = try PreviewWork.make(verified, on: &connection) else {
          return .failure(
            InputReader.failure(
              source,
              "a \(Printable.text(verified.notification.type)) notification, which opens no request"
            ))
        }
        work = made
      }
    }
    guard loaded.configuration.serves(work) else {
      return .failure(
        CommandFailure(
          code: .data,
          message: "\(work.bundleId) in \(work.environment.rawValue) is not configured"))
    }
    switch try loaded.compiled(on: &connection) {
    case .failure(let failure): return .failure(failure)
    case .success(let queries):
      let preview = try Preview.of(
        work, settings: loaded.settings, queries: queries, on: &connection)
      let pauses = try Pauses.all(on: &connection).filter {
        $0.bundleId == nil || $0.bundleId == work.bundleId
      }
      return .preview(
        PreviewPage(preview, work, currency: loaded.configuration.usage?.currency, pauses: pauses))
    }
  }

  private func open(
    _ id: Int64, on connection: inout Connection
  ) throws(PostgresError) -> Result<Work, CommandFailure> {
    if let standing = try RequestStanding.read(id, on: &connection), standing.isFinal {
      let reason = standing.reason.map { " (\($0))" } ?? ""
      return .failure(
        CommandFailure(
          code: .data,
          message:
            "\(id) is \(standing.state)\(reason), which is final. See: consumptiond show \(id)"
        ))
    }
    switch try PreviewWork.load(id, on: &connection) {
    case .success(let work)?: return .success(work)
    case .failure(let error)?:
      return .failure(
        CommandFailure(code: .data, message: "\(id): \(Printable.text(error.reason))"))
    case nil: return .failure(CommandFailure(code: .data, message: "\(id): no such request"))
    }
  }

  private func verified(
    _ payload: String, _ source: InputSource, _ configuration: Configuration, _ now: Instant
  ) -> Result<VerifiedNotification, CommandFailure> {
    var verifier = NotificationVerifier(
      anchors: configuration.anchors, apps: configuration.apps.map(\.identity))
    do throws(SignedPayloadError) {
      return .success(try verifier.verify(payload, now: now))
    } catch {
      return .failure(
        InputReader.failure(source, "does not hold: \(Printable.text(error.description))"))
    }
  }
}

extension Configuration {
  fileprivate func serves(_ work: Work) -> Bool {
    apps.contains { $0.bundleId == work.bundleId && $0.environments.contains(work.environment) }
  }
}
