import AppStore
import Decision

/// A payload that holds, told to people and to programs.
struct VerificationReport {
  private let verified: VerifiedNotification
  /// The file that said which apps count; nil: none did.
  private let configuration: String?

  init(_ verified: VerifiedNotification, configuration: String?) {
    self.verified = verified
    self.configuration = configuration
  }

  /// The three objects exactly as they were signed.
  var json: JSONText {
    .object([
      ("valid", .bool(true)), ("notification", .raw(verified.notificationJSON)),
      ("transaction", verified.transactionJSON.map(JSONText.raw) ?? .null),
      ("renewal", verified.renewalJSON.map(JSONText.raw) ?? .null),
    ])
  }

  static func json(_ error: SignedPayloadError) -> JSONText {
    .object([
      ("valid", .bool(false)), ("reason", .string(error.reason.rawValue)),
      ("detail", .string(error.detail)),
    ])
  }

  func lines(_ style: Style, width: Int?, now: Instant) -> [String] {
    let notification = verified.notification
    let type = [notification.type, notification.subtype].compactMap(\.self).joined(separator: " ")
    var lines = [
      style("valid", .good) + Printable.text(": \(type) for \(notification.bundleId) ")
        + "(\(notification.environment.rawValue))"
    ]
    lines += TextWidth.wrapped(checked, to: width)
    if notification.isConsumptionRequest { lines += TextWidth.wrapped(due(now), to: width) }
    for (title, json) in [
      ("notification", verified.notificationJSON), ("transaction", verified.transactionJSON ?? ""),
      ("renewal", verified.renewalJSON ?? ""),
    ] where !json.isEmpty {
      lines += ["", style(title, .bold)]
      lines += NameTable(fields(json)).lines(style, width: width)
    }
    return lines
  }

  private var checked: String {
    guard let configuration else {
      return "Signatures alone were checked: no configuration says which apps are ours."
    }
    return "Signatures, app and environment were checked, by \(Printable.text(configuration))."
  }

  private func due(_ now: Instant) -> String {
    let notification = verified.notification
    let deadline = Deadline.deadline(
      signedAt: notification.signedAt, notification.environment)
    let left = (deadline - now).components.seconds
    return
      "Apple waits for an answer until \(HumanTime.utc(deadline)): \(HumanTime.due(inSeconds: left))."
  }

  /// What is signed inside is shown decoded, below; dates in milliseconds as dates.
  private func fields(_ text: String) -> [(name: String, value: Table.Cell)] {
    guard let json = JSONValue(text: text) else { return [] }
    return JSONFields.list(json).map { name, value in
      let last = name.split(separator: ".").last ?? ""
      if last.hasPrefix("signed"), last.hasSuffix("Info") { return (name, "(a signed payload)") }
      if last.hasSuffix("Date"), let milliseconds = Int64(value) {
        let instant = Instant(milliseconds: milliseconds)
        return (name, "\(HumanTime.utc(instant)) (\(value))")
      }
      return (name, Table.Cell(value))
    }
  }
}
