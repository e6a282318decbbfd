import Store

/// The line of an expression in which PostgreSQL stumbled, with a caret under the place.
enum Caret {
  /// - Parameter width: what there is room for; a longer line is cut around the place.
  static func lines(_ place: QueryFault.Place, width: Int?) -> [String] {
    let scalars = Array(place.text.unicodeScalars)
    let position = min(max(place.position - 1, 0), scalars.count)
    let isBreak: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0 == "\r" }
    let start = scalars[..<position].lastIndex(where: isBreak).map { $0 + 1 } ?? 0
    let end = scalars[position...].firstIndex(where: isBreak) ?? scalars.count
    var before = text(scalars[start..<position])
    var after = text(scalars[position..<end])
    if let width {
      // The place itself, and what comes just after it, is what people want to see.
      let shown = min(TextWidth.of(after), max(width / 3, 8))
      before = cutLeft(before, to: max(width - shown - 1, 0))
      after = TextWidth.cut(after, to: max(width - TextWidth.of(before), 1))
    }
    return [before + after, String(repeating: " ", count: TextWidth.of(before)) + "^"]
  }

  /// On one line, and a column for each character.
  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    Printable.text(String(String.UnicodeScalarView(scalars.map { $0 == "\t" ? " " : $0 })))
  }

  private static func cutLeft(_ text: String, to columns: Int) -> String {
    guard TextWidth.of(text) > columns else { return text }
    var kept = Substring(text)
    while !kept.isEmpty, TextWidth.of(kept) > columns - 1 { kept.removeFirst() }
    return "…" + kept
  }
}
