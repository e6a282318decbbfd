/// Aligned columns for people.
struct Table {
  struct Column {
    let title: String
    var isNumber = false
    /// Whether its cells may be cut when the terminal is too narrow.
    var mayBeCut = false
  }

  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    let tone: Style.Tone

    init(_ text: String, _ tone: Style.Tone = .plain) {
      self.text = Printable.text(text)
      self.tone = tone
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  private static let gap = "  "

  private let columns: [Column]
  private let hasHeader: Bool
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) {
    self.columns = columns
    hasHeader = true
  }

  /// Names and values: two columns without a header, of which the second may be cut.
  init(names rows: [(String, Cell)]) {
    columns = [Column(title: ""), Column(title: "", mayBeCut: true)]
    hasHeader = false
    self.rows = rows.map { [Cell($0.0, .dim), $0.1] }
  }

  mutating func append(_ row: [Cell]) { rows.append(row) }

  var isEmpty: Bool { rows.isEmpty }

  /// - Parameter width: of the terminal; nil: nothing is cut.
  func lines(_ style: Style, width: Int?) -> [String] {
    let widths = widths(in: width)
    var lines = hasHeader ? [line(columns.map { Cell($0.title, .bold) }, widths, style)] : []
    for row in rows { lines.append(line(row, widths, style)) }
    return lines
  }

  private func line(_ row: [Cell], _ widths: [Int], _ style: Style) -> String {
    var line = ""
    // Blanks are only written when something follows them: no line ends in white space.
    var pending = ""
    for (index, cell) in row.enumerated() {
      let text = TextWidth.cut(cell.text, to: widths[index])
      let padding = String(repeating: " ", count: widths[index] - TextWidth.of(text))
      if columns[index].isNumber { pending += padding }
      if !text.isEmpty {
        line += pending + style(text, cell.tone)
        pending = ""
      }
      if !columns[index].isNumber { pending += padding }
      pending += Self.gap
    }
    return line
  }

  /// As wide as the widest cell; then the widest that may be cut give way, but keep 8 columns.
  private func widths(in width: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      rows.map { TextWidth.of($0[index].text) }.reduce(TextWidth.of(columns[index].title), max)
    }
    guard let width else { return widths }
    var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - width
    while excess > 0 {
      let candidates = columns.indices.filter { columns[$0].mayBeCut && widths[$0] > 8 }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
