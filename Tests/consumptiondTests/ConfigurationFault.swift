import Testing

@testable import consumptiond

/// One mistake in the sample, and the line that the program ends with.
struct Fault: Sendable, CustomTestStringConvertible {
  let name: String
  /// What is changed in the sample, and into what.
  let old: String
  let new: String
  /// Without the file's name.
  let line: String
  /// Whether the sample has `trustedRoots` besides.
  let trusting: Bool

  init(_ name: String, _ old: String, _ new: String, _ line: String, trusting: Bool = false) {
    self.name = name
    self.old = old
    self.new = new
    self.line = line
    self.trusting = trusting
  }

  var testDescription: String { name }

  var text: String {
    let sample = ConfigurationFixture.sample
    guard let range = sample.firstRange(of: old) else { return "" }
    let text = sample[..<range.lowerBound] + new + sample[range.upperBound...]
    return trusting
      ? String(text).replacing("customer: [", with: "trustedRoots: [\"root.pem\"], customer: [")
      : String(text)
  }
}
