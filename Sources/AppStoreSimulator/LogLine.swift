import AppStore
import Simulation

extension SeenRequest {
  /// What, the verdict and why; never a header or a body.
  var logLine: String {
    let subject =
      transactionId.map { "transaction \($0) (\(version ?? ""))" } ?? "\(method) \(path)"
    let outcome: String
    switch (status, verdict) {
    case (let status?, let verdict?):
      let code = verdict.code.map { ", \($0)" } ?? ""
      outcome = "\(status)\(code): \(verdict.why)"
    case (let status?, nil): outcome = "\(status): as told by --fail"
    case (nil, let verdict?):
      outcome = "\(verdict.status), but the answer is lost, as told by --fail"
    case (nil, nil): outcome = "no answer, as told by --fail"
    }
    let warning = overlapped ? "; OVERLAPS another request for this transaction" : ""
    return "\(arrivedAt) \(printable(subject)): \(printable(outcome))\(warning)"
  }
}

/// A path or a key of a stranger's must not steer the terminal.
private func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) ? "?" : $0 }))
}
