import Decision
import Testing

@Suite("Named queries") struct NamedQueryTests {
  struct Case: Sendable {
    let text: String
    let sql: String
    var parameters: [QueryParameter] = []
  }

  @Test(
    "named parameters become numbers in order of first appearance",
    arguments: [
      Case(text: "SELECT 1", sql: "SELECT 1"),
      Case(text: "SELECT $customer", sql: "SELECT $1", parameters: [.customer]),
      Case(
        text: "SELECT 1 WHERE t >= $from AND t < $until AND c = $customer AND u > $from",
        sql: "SELECT 1 WHERE t >= $1 AND t < $2 AND c = $3 AND u > $1",
        parameters: [.from, .until, .customer]),
      Case(
        text: "SELECT $app_account_token::uuid", sql: "SELECT $1::uuid",
        parameters: [.appAccountToken]),
      Case(
        text: "SELECT ($customer)+$customer-$environment,$product_id", sql: "SELECT ($1)+$1-$2,$3",
        parameters: [.customer, .environment, .productId]),
      // A trailing semicolon goes, with blanks and comments around it.
      Case(text: "SELECT 1;", sql: "SELECT 1"),
      Case(text: "SELECT 1 ; ;\n-- done\n/* ; */ ", sql: "SELECT 1  \n-- done\n/* ; */ "),
      Case(text: ";SELECT 1", sql: "SELECT 1"),
      // Strings
      Case(text: "SELECT '$customer; --'", sql: "SELECT '$customer; --'"),
      Case(text: "SELECT 'it''s $customer'", sql: "SELECT 'it''s $customer'"),
      Case(text: "SELECT '\\', $customer", sql: "SELECT '\\', $1", parameters: [.customer]),
      Case(text: "SELECT E'\\'$customer'", sql: "SELECT E'\\'$customer'"),
      Case(text: "SELECT e'\\\\', $from", sql: "SELECT e'\\\\', $1", parameters: [.from]),
      Case(text: "SELECT U&'$customer'", sql: "SELECT U&'$customer'"),
      Case(
        text: "SELECT E'a'\n  '\\'$customer'", sql: "SELECT E'a'\n  '\\'$customer'"),
      Case(
        text: "SELECT E'a'-- c\n'\\'$customer'", sql: "SELECT E'a'-- c\n'\\'$customer'"),
      Case(
        text: "SELECT 'a' '\\', $customer", sql: "SELECT 'a' '\\', $1", parameters: [.customer]),
      Case(text: "SELECT date'2026-01-01'", sql: "SELECT date'2026-01-01'"),
      // Quoted names
      Case(text: "SELECT \"$customer\"", sql: "SELECT \"$customer\""),
      Case(text: "SELECT \"a\"\"$from;\"", sql: "SELECT \"a\"\"$from;\""),
      // Dollar quotes
      Case(text: "SELECT $$ $customer; $$", sql: "SELECT $$ $customer; $$"),
      Case(text: "SELECT $tag$ $customer $$ $tag$", sql: "SELECT $tag$ $customer $$ $tag$"),
      Case(
        text: "SELECT $a$ $b$ $a$, $from", sql: "SELECT $a$ $b$ $a$, $1", parameters: [.from]),
      Case(text: "SELECT $é$ $from $é$", sql: "SELECT $é$ $from $é$"),
      // A dollar sign inside a word belongs to it.
      Case(text: "SELECT a$customer", sql: "SELECT a$customer"),
      Case(text: "SELECT a$$b", sql: "SELECT a$$b"),
      // Comments
      Case(
        text: "SELECT $from -- $nobody's\n", sql: "SELECT $1 -- $nobody's\n", parameters: [.from]),
      Case(text: "SELECT 1 -- it's", sql: "SELECT 1 -- it's"),
      Case(
        text: "SELECT /* /* $x */ ' $y */ $until", sql: "SELECT /* /* $x */ ' $y */ $1",
        parameters: [.until]),
      Case(text: "SELECT 4 / 2 - -1", sql: "SELECT 4 / 2 - -1"),
      Case(text: "SELECT '😀', $from", sql: "SELECT '😀', $1", parameters: [.from]),
    ])
  func translates(_ example: Case) throws {
    let query = try NamedQuery(example.text)
    #expect(query.sql == example.sql)
    #expect(query.parameters == example.parameters)
    #expect(query.text == example.text)
  }

  @Test(
    "what cannot be run is refused",
    arguments: [
      ("", .empty), (" ; ", .empty), ("-- nothing\n/* at all */;", .empty),
      ("SELECT 1; SELECT 2", .severalStatements),
      ("SELECT 1; -- and\n COMMIT", .severalStatements),
      ("SELECT 1; $x", .severalStatements),
      ("SELECT $1", .positionalParameter("$1")),
      ("SELECT $23abc", .positionalParameter("$23")),
      ("SELECT 'a", .unterminated("a string")),
      ("SELECT 'a''", .unterminated("a string")),
      ("SELECT E'a\\'", .unterminated("a string")),
      ("SELECT E'a\\", .unterminated("a string")),
      ("SELECT \"a", .unterminated("a quoted name")),
      ("SELECT $$ a $", .unterminated("a dollar quote")),
      ("SELECT $a$ $b$", .unterminated("a dollar quote")),
      ("SELECT /* /* */", .unterminated("a comment")),
      ("SELECT 1\0 WHERE false", .nulCharacter),
      ("SELECT '\0'", .nulCharacter),
      ("SELECT $a$\0$a$", .nulCharacter),
      ("SELECT 1 -- \0", .nulCharacter),
      ("SELECT /* \0 */ 1", .nulCharacter),
    ] as [(String, NamedQueryError)])
  func refuses(text: String, error: NamedQueryError) {
    #expect(throws: error) { try NamedQuery(text) }
  }

  @Test("an unknown parameter is named, with those that are known") func unknownParameter() {
    let error = #expect(throws: NamedQueryError.self) {
      try NamedQuery("SELECT $custommer", allowed: [.customer, .from])
    }
    #expect(
      error?.description == "found unknown parameter $custommer, expected one of $customer, $from")
    #expect(throws: NamedQueryError.unknownParameter(name: "customer", known: ["from"])) {
      try NamedQuery("SELECT $customer", allowed: [.from])
    }
    #expect(throws: NamedQueryError.self) { try NamedQuery("SELECT $Customer") }
  }

  @Test("only the ends of the period are instants") func instants() {
    #expect(QueryParameter.allCases.filter(\.isInstant) == [.from, .until])
    #expect(!QueryParameter.ofPurchase.contains(.customer))
  }
}
