import Testing

@testable import consumptiond

@Suite("Tables and wrapped text")
struct TableTests {
  private var table: Table {
    var table = Table([
      .init(title: "ID", isNumber: true), .init(title: "STATE", cutTo: 8),
      .init(title: "TRANSACTION"), .init(title: "LAST ERROR", cutTo: 0),
    ])
    table.append(["7", .init("waiting usage_unavailable", .attention), "2000001", "HTTP 503"])
    table.append(["1234", "queued", "20", ""])
    return table
  }

  @Test("columns are aligned, numbers to the right, and no line ends in a blank")
  func aligned() {
    #expect(
      table.lines(.plain, width: nil) == [
        "  ID  STATE                      TRANSACTION  LAST ERROR",
        "   7  waiting usage_unavailable  2000001      HTTP 503",
        "1234  queued                     20",
      ])
  }

  @Test("what is too wide is cut with an ellipsis, the last column first")
  func cut() {
    #expect(
      table.lines(.plain, width: 50) == [
        "  ID  STATE                      TRANSACTION  LAS…",
        "   7  waiting usage_unavailable  2000001      HTT…",
        "1234  queued                     20",
      ])
    #expect(
      table.lines(.plain, width: 40) == [
        "  ID  STATE                TRANSACTION",
        "   7  waiting usage_unav…  2000001",
        "1234  queued               20",
      ])
  }

  @Test("a line is never wider than the terminal", arguments: [30, 40, 60, 80, 200])
  func fits(width: Int) {
    for line in table.lines(.plain, width: width) { #expect(TextWidth.of(line) <= width) }
  }

  @Test("colour takes no columns and is off in a pipe")
  func colour() {
    let coloured = table.lines(Style(isColoured: true), width: nil)
    #expect(coloured[1].contains("\u{1B}[33mwaiting usage_unavailable\u{1B}[0m"))
    let stripped = coloured.map { $0.replacing(/\u{1B}\[\d+m/, with: "") }
    #expect(stripped == table.lines(.plain, width: nil))
  }

  @Test(
    "when there is colour",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
      (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
    ] as [(Bool, [String: String], Bool)])
  func style(isTerminal: Bool, environment: [String: String], isColoured: Bool) {
    #expect(
      Style(isTerminal: isTerminal, environment: environment).isColoured == isColoured)
  }

  @Test("names and values: a long value goes on below")
  func names() {
    let table = NameTable([
      ("a", "one two three four five six seven"), ("long name", ""), ("b", "2"),
    ])
    #expect(
      table.lines(.plain, width: 36) == [
        "a          one two three four five", "           six seven", "long name", "b          2",
      ])
    #expect(table.lines(.plain, width: nil)[0] == "a          one two three four five six seven")
  }

  @Test("wrapping breaks between words, and inside of one that is too long")
  func wrapped() {
    #expect(TextWidth.wrapped("aa bb cc", to: 5) == ["aa bb", "cc"])
    #expect(TextWidth.wrapped("abcdefgh ij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(TextWidth.wrapped("", to: 4) == [])
    #expect(TextWidth.wrapped("日本語 日本", to: 6) == ["日本語", "日本"])
  }

  @Test("wide characters take two columns")
  func wide() {
    #expect(TextWidth.of("日本") == 4)
    #expect(TextWidth.of("e\u{301}") == 1)
    #expect(TextWidth.cut("日本語", to: 4) == "日…")
    #expect(TextWidth.cut("abc", to: 3) == "abc")
  }

  @Test("foreign text cannot steer the terminal")
  func printable() {
    let cell = Table.Cell("a\u{1B}[2J\r\n\u{9B}31m\u{202E}b")
    #expect(cell.text == #"a\u{1b}[2J\u{d}\u{a}\u{9b}31m\u{202e}b"#)
    #expect(Table.Cell("Bearer eyJhbGciOi.eyJpc3.x_-1 end").text == "Bearer [token] end")
  }
}
