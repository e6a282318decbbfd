import Decision
import Testing

@testable import consumptiond

@Suite("The command lines of an operator") struct OperationLineTests {
  private func parse(_ line: String) -> Result<Command, CommandFailure> {
    do throws(CommandFailure) {
      return .success(try ArgumentParser.parse(line.split(separator: " ").map(String.init)))
    } catch {
      return .failure(error)
    }
  }

  static let accepted: [(String, Command)] = [
    ("retry 12", .intervene(config: nil, id: "12", .retry(redecide: false))),
    ("retry --redecide 12 --config c", .intervene(config: "c", id: "12", .retry(redecide: true))),
    ("cancel 12", .intervene(config: nil, id: "12", .cancel)),
    (
      "answer 12 --prefer DECLINE --note why",
      .intervene(config: nil, id: "12", .answer(.decline, note: "why"))
    ),
    (
      "answer --prefer=no_answer 12",
      .intervene(config: nil, id: "12", .answer(.noAnswer, note: nil))
    ),
    ("pause", .pause(config: nil, app: nil, note: nil)),
    ("pause --app a.b --note n", .pause(config: nil, app: "a.b", note: "n")),
    ("resume --app a.b", .resume(config: nil, app: "a.b")),
    ("adopt --cancel-open", .adopt(config: nil, cancelOpen: true)),
    ("preview 12 --json", .preview(config: nil, .request("12"), json: true)),
    (
      "preview 4bfa8a02-2d9b-4d3d-8b1d-4a1b6b2f8c11",
      .preview(config: nil, .request("4bfa8a02-2d9b-4d3d-8b1d-4a1b6b2f8c11"), json: false)
    ),
    ("preview ./12", .preview(config: nil, .payload(.file("./12")), json: false)),
    ("preview -", .preview(config: nil, .payload(.standardInput), json: false)),
    ("check --customer 7 --json", .check(config: nil, customer: "7", json: true)),
    ("status --watch", .status(config: nil, StatusView(watch: 2))),
    ("status --watch 5 --json", .status(config: nil, StatusView(json: true, watch: 5))),
    ("status --watch --json", .status(config: nil, StatusView(json: true, watch: 2))),
    ("status --watch=9", .status(config: nil, StatusView(watch: 9))),
    ("status --exit-code", .status(config: nil, StatusView(exitCode: true))),
  ]

  @Test("What is right is understood", arguments: accepted)
  func understood(line: String, command: Command) {
    #expect(parse(line) == .success(command))
  }

  static let refused: [(String, String)] = [
    ("retry", "retry: ID is missing (see consumptiond help retry)"),
    ("cancel 1 2", "cancel: takes one ID, found 2 (see consumptiond help cancel)"),
    (
      "answer 12",
      "answer: --prefer is missing: DECLINE, GRANT_FULL, GRANT_PRORATED, NONE or NO_ANSWER "
        + "(see consumptiond help answer)"
    ),
    (
      "answer 12 --prefer REVIEW",
      "answer: --prefer takes DECLINE, GRANT_FULL, GRANT_PRORATED, NONE or NO_ANSWER "
        + "(see consumptiond help answer)"
    ),
    (
      "pause com.example",
      "pause: takes options alone, found another word (see consumptiond help pause)"
    ),
    (
      "status --watch 0",
      "status: --watch takes a number of seconds from 1 to 86400 (see consumptiond help status)"
    ),
    (
      "status --watch --exit-code",
      "status: either --watch or --exit-code (see consumptiond help status)"
    ),
    ("report", "report: not built yet (see consumptiond help)"),
  ]

  @Test("What is wrong is told, and what would be right", arguments: refused)
  func told(line: String, message: String) {
    #expect(parse(line) == .failure(CommandFailure(code: .usage, message: message)))
  }

  @Test(
    "Behind sudo the person is meant",
    arguments: [
      (["SUDO_USER": "ada", "USER": "root"], "ada"), (["USER": "ben"], "ben"),
      (["USER": "", "LOGNAME": "cleo"], "cleo"),
    ])
  func person(environment: [String: String], name: String) {
    #expect(Person.name(environment) == name)
  }
}
