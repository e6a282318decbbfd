/// Names and their values, one below the other. A value that is too long for the terminal goes on in
/// the next line: whoever looks at one thing wants all of it.
struct NameTable {
  private let rows: [(name: String, value: Table.Cell)]

  init(_ rows: [(name: String, value: Table.Cell)]) {
    // Names too may be a stranger's: the keys of a payload.
    self.rows = rows.map { (Printable.text($0.name), $0.value) }
  }

  /// - Parameter width: of the terminal; nil: a value is one line.
  func lines(_ style: Style, width: Int?) -> [String] {
    let names = rows.map { TextWidth.of($0.name) }.max() ?? 0
    let indent = names + 2
    // At least half a usual terminal, however long the names are.
    let room = width.map { max($0 - indent, 24) }
    return rows.flatMap { name, value in
      let wrapped = TextWidth.wrapped(value.text, to: room)
      let padded = name + String(repeating: " ", count: indent - TextWidth.of(name))
      let first = wrapped.first ?? ""
      return [style(first.isEmpty ? name : padded, .dim) + style(first, value.tone)]
        + wrapped.dropFirst().map {
          String(repeating: " ", count: indent) + style($0, value.tone)
        }
    }
  }
}
