/// Aligned columns for people.
struct Table {
  struct Column {
    let title: String
    var isNumber = false
    /// How narrow its cells may be cut when the terminal is too narrow; nil: never.
    var cutTo: Int?
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
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func append(_ row: [Cell]) { rows.append(row) }

  /// - Parameter width: of the terminal; nil: nothing is cut.
  func lines(_ style: Style, width: Int?) -> [String] {
    let widths = widths(in: width)
    let header = columns.map { Cell($0.title, .bold) }
    return ([header] + rows).map { line($0, widths, style) }
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

  /// As wide as the widest cell; then those that may be cut give way, the last
  /// first.
  private func widths(in width: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      rows.map { TextWidth.of($0[index].text) }.reduce(TextWidth.of(columns[index].title), max)
    }
    guard let width else { return widths }
    var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - width
    while excess > 0 {
      let last = columns.indices.last { widths[$0] > columns[$0].cutTo ?? .max }
      guard let last else { break }
      let cut = min(excess, widths[last] - (columns[last].cutTo ?? 0))
      widths[last] -= cut
      excess -= cut
    }
    return widths
  }
}
