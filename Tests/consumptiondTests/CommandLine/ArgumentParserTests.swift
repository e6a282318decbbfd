import Testing

@testable import consumptiond

@Suite("The command line")
struct ArgumentParserTests {
  @Test(
    "what is understood",
    arguments: [
      ("run", .run(config: nil, drain: false)),
      ("run --drain", .run(config: nil, drain: true)),
      ("run --config a.json --drain", .run(config: "a.json", drain: true)),
      ("--config a.json run", .run(config: "a.json", drain: false)),
      ("--config=a=b.json run", .run(config: "a=b.json", drain: false)),
      ("migrate", .migrate(.configured(config: nil))),
      ("migrate --config x", .migrate(.configured(config: "x"))),
      ("migrate --print", .migrate(.print)),
      ("migrate --database dbname=a", .migrate(.database(Secret("dbname=a")))),
      ("migrate --database=dbname=a", .migrate(.database(Secret("dbname=a")))),
      ("enqueue", .enqueue(config: nil, .standardInput)),
      ("enqueue -", .enqueue(config: nil, .standardInput)),
      ("enqueue --config c f.jws", .enqueue(config: "c", .file("f.jws"))),
      ("enqueue -- --odd", .enqueue(config: nil, .file("--odd"))),
      ("verify", .verify(config: nil, .standardInput, root: nil, json: false)),
      ("verify f --json --root r", .verify(config: nil, .file("f"), root: "r", json: true)),
      ("status", .status(config: nil, StatusView())),
      ("status --json", .status(config: nil, StatusView(json: true))),
      ("show 12", .show(config: nil, id: "12", json: false)),
      ("show --json 12", .show(config: nil, id: "12", json: true)),
      ("show -- -12", .show(config: nil, id: "-12", json: false)),
      ("help", .help(nil)), ("help show", .help(.show)), ("help help", .help(.help)),
      ("--help", .help(nil)), ("-h", .help(nil)), ("show --help", .help(.show)),
      ("--help show", .help(.show)), ("show 1 2 3 --nonsense -h", .help(.show)),
      ("--version", .version),
    ] as [(String, Command)])
  func understood(line: String, command: Command) throws {
    #expect(try ArgumentParser.parse(words(line)) == command)
  }

  @Test(
    "what is refused, and what is said",
    arguments: [
      ("", "no command given (see consumptiond help)"),
      ("--config a", "no command given (see consumptiond help)"),
      ("statsu", "unknown command statsu; did you mean status? (see consumptiond help)"),
      ("stat", "unknown command stat; did you mean status? (see consumptiond help)"),
      ("RUN", "unknown command RUN; did you mean run? (see consumptiond help)"),
      ("frobnicate", "unknown command frobnicate (see consumptiond help)"),
      ("dbname=a", "unknown command (see consumptiond help)"),
      (
        "run --drian",
        "run: unknown option --drian; did you mean --drain? (see consumptiond help run)"
      ),
      (
        "status -j",
        "status: unknown option -j; known: --json, --watch [SECONDS], --exit-code, --config FILE (see consumptiond help status)"
      ),
      (
        "migrate --root x",
        "migrate: unknown option --root; known: --print, --database CONNINFO, --config FILE "
          + "(see consumptiond help migrate)"
      ),
      ("--json status", "unknown option --json; known: --config FILE (see consumptiond help)"),
      ("run --drain=yes", "run: --drain takes no value (see consumptiond help run)"),
      ("run --drain --drain", "run: --drain is given twice (see consumptiond help run)"),
      ("run --config", "run: --config needs a value: FILE (see consumptiond help run)"),
      ("run --config --drain", "run: --config needs a value: FILE (see consumptiond help run)"),
      ("run --config=", "run: --config needs a value: FILE (see consumptiond help run)"),
      ("run now", "run: takes options alone, found another word (see consumptiond help run)"),
      ("show", "show: ID is missing (see consumptiond help show)"),
      ("show 1 2", "show: takes one ID, found 2 (see consumptiond help show)"),
      (
        "migrate --print --database x",
        "migrate: either --print or --database (see consumptiond help migrate)"
      ),
      ("help shwo", "help: unknown command shwo; did you mean show? (see consumptiond help)"),
      ("help report", "report: not built yet (see consumptiond help)"),
    ])
  func refused(line: String, message: String) {
    #expect(throws: CommandFailure(code: .usage, message: message)) {
      try ArgumentParser.parse(words(line))
    }
  }

  @Test(
    "the commands of later versions are refused by name",
    arguments: [
      "alerts", "report", "backtest", "backfill", "prune", "forget", "export",
    ])
  func notBuiltYet(name: String) {
    for line in [name, "\(name) 12 --redecide --app x", "\(name) --help"] {
      #expect(
        throws: CommandFailure(
          code: .usage, message: "\(name): not built yet (see consumptiond help)")
      ) { try ArgumentParser.parse(words(line)) }
    }
  }

  @Test(
    "a connection string in the wrong place is not repeated",
    arguments: [
      "migrate password=hunter2", "migrate --databse=password=hunter2", "password=hunter2",
      "--databse=password=hunter2 migrate", "show password=hunter2 password=hunter2",
      "help password=hunter2", "postgresql://u:hunter2@h/d", "run --hunter2:x",
      "migrate --database password=hunter2 --print",
    ])
  func noSecrets(line: String) throws {
    let failure = try #require(throws: CommandFailure.self) {
      try ArgumentParser.parse(words(line))
    }
    #expect(!failure.message.contains("hunter2:") && !failure.message.contains("=hunter2"))
    #expect(!"\(failure)".contains("password="))
  }

  @Test("what follows --database shows itself to nobody")
  func secret() throws {
    let command = try ArgumentParser.parse(["migrate", "--database", "password=hunter2"])
    #expect(!"\(command)".contains("hunter2"))
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}
