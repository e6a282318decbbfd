internal import AppStore
internal import Crypto
internal import Decision
internal import HTTP
internal import Store

/// Owns what talks to Apple: clients and tokens. One attempt is one request on the wire.
actor Sender: Owner {
  nonisolated let executor = QueueExecutor("sender")
  private let house: Household
  private let recorder: Recorder
  private var clients: [String?: HTTPClient] = [:]
  private var tokens = TokenCase()
  private var inFlight: [Int64: Recording] = [:]

  init(_ house: Household, recorder: Recorder) {
    self.house = house
    self.recorder = recorder
  }

  var isIdle: Bool { inFlight.isEmpty }

  func send(_ dispatch: Dispatch) {
    let work = dispatch.work
    guard !house.isStopping else { return giveBack(dispatch, "the daemon stops") }
    // A worker that was frozen past its lease must not send when it wakes.
    guard house.leases.isGood(work.token, for: house.settings.requestTimeout) else {
      return giveBack(dispatch, "the lease ran out")
    }
    guard let app = house.settings.app(work.bundleId) else {
      return giveBack(dispatch, "the app is not configured")
    }
    let token: TokenCase.Token
    do throws(CryptoError) {
      token = try tokens.token(for: app, now: .now())
    } catch {
      return giveBack(dispatch, "the token cannot be signed: \(error.message)")
    }
    let call = APICall.sendConsumption(transactionId: work.transactionId, body: dispatch.body)
    let recording = Recording(dispatch: dispatch, tokenWasRenewed: token.isLast)
    inFlight[dispatch.attempt.id] = recording
    client(app.endpoints[work.environment]?.rootsFile).send(
      request(call, work, token, isFirst: dispatch.attempt.number == 1)
    ) { result in
      self.post { $0.finish(recording, token, result) }
    }
  }

  private func request(
    _ call: APICall, _ work: Work, _ token: TokenCase.Token, isFirst: Bool
  ) -> HTTPRequest {
    HTTPRequest(
      method: call.method, url: house.settings.endpoint(work) + call.path,
      headers: [
        ("Authorization", token.bearer.authorization), ("Content-Type", "application/json"),
        ("Accept", "application/json"), ("User-Agent", "consumptiond"),
      ],
      body: Array((call.body ?? "").utf8), timeout: house.settings.requestTimeout,
      freshConnection: !isFirst)
  }

  private func finish(
    _ recording: Recording, _ token: TokenCase.Token, _ result: Result<HTTPResponse, HTTPError>
  ) {
    guard inFlight.removeValue(forKey: recording.dispatch.attempt.id) != nil else { return }
    let record =
      if house.isStopping, case .failure(let error) = result, error.kind == .cancelled {
        error.mayHaveBeenSent
          ? recording.interrupted() : recording.unsent("the daemon stops")
      } else {
        recording.record(result, now: .now(), random: .random(in: 0..<1))
      }
    learn(record, token, recording.dispatch.work)
    recorder.post { $0.add(record) }
  }

  private func learn(_ record: Attempts.Record, _ token: TokenCase.Token, _ work: Work) {
    switch record.result {
    case "unauthorized":
      guard tokens.reject(token, of: work.bundleId), token.isLast else { return }
      house.log(
        .error, "credentials_rejected",
        "Apple rejects the credentials of \(work.bundleId) in \(work.environment.rawValue), with a "
          + "fresh token and every key. The usual causes: not an In-App Purchase key; keyId, issuerId and "
          + "key file of different keys; a revoked key; an app that was never released; a host's "
          + "clock that is wrong. Requests keep their places and are tried until their deadlines.")
    case "unknown", "retry", nil: return
    default: tokens.accept(token, of: work.bundleId)
    }
  }

  private func giveBack(_ dispatch: Dispatch, _ why: String) {
    let record = Recording(dispatch: dispatch, tokenWasRenewed: false).unsent(why)
    recorder.post { $0.add(record) }
  }

  private func client(_ rootsFile: String?) -> HTTPClient {
    if let client = clients[rootsFile] { return client }
    let client = HTTPClient(
      maximumConnectionsPerHost: house.settings.concurrency, rootsFile: rootsFile)
    clients[rootsFile] = client
    return client
  }

  /// Ends what is still in flight: its fate is recorded as unknown.
  func close() {
    for client in clients.values { client.close() }
  }
}
