import Store

/// What was found, for people and for programs.
struct CheckReport {
  let findings: [Finding]

  func count(_ level: Finding.Level) -> Int { findings.count { $0.level == level } }

  /// `12 fine, 1 doubtful, 0 wrong`
  var summary: String {
    Finding.Level.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
  }

  var json: JSONText {
    .object(
      Finding.Level.allCases.map { ($0.rawValue, .int(Int64(count($0)))) } + [
        (
          "findings",
          .array(
            findings.map { finding in
              .object([
                ("level", .string(finding.level.rawValue)), ("subject", .string(finding.subject)),
                ("message", .string(finding.message)), ("cure", .optional(finding.cure)),
                ("expression", .optional(finding.place?.text)),
                ("position", .optional(finding.place.map { Int64($0.position) })),
              ])
            })
        )
      ])
  }

  func lines(_ style: Style, width: Int?) -> [String] {
    findings.flatMap { lines($0, style, width) } + ["", style(summary, .bold)]
  }

  /// The level's column, and what is indented by it.
  private static let indent = 10

  private func lines(_ finding: Finding, _ style: Style, _ width: Int?) -> [String] {
    let margin = String(repeating: " ", count: Self.indent)
    let room = width.map { max($0 - Self.indent, 24) }
    let level = finding.level.rawValue
    let padding = String(repeating: " ", count: Self.indent - level.count)
    let text = TextWidth.wrapped(
      Printable.text("\(finding.subject): \(finding.message)"), to: room)
    var lines = [style(level, finding.level.tone) + padding + (text.first ?? "")]
    lines += text.dropFirst().map { margin + $0 }
    if let place = finding.place {
      lines += Caret.lines(place, width: room).map { margin + $0 }
    }
    if let cure = finding.cure {
      lines += TextWidth.wrapped(Printable.text("→ " + cure), to: room).map {
        margin + style($0, .dim)
      }
    }
    return lines
  }
}
