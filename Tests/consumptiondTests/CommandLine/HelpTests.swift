import Testing

@testable import consumptiond

/// The texts are an interface too: whoever changes one changes it here as well, on purpose.
@Suite("Help")
struct HelpTests {
  @Test("each text as it is printed", arguments: snapshots)
  func snapshot(words: String, text: String) throws {
    guard
      case .help(let command) = try ArgumentParser.parse(
        words.split(separator: " ").map(String.init))
    else {
      Issue.record("\(words) is no call for help")
      return
    }
    #expect((command.map(HelpText.of) ?? HelpText.overview) == text)
  }

  @Test("no line is longer than 80 columns", arguments: CommandName.allCases)
  func width(command: CommandName) {
    for line in HelpText.of(command).split(separator: "\n") {
      #expect(TextWidth.of(line) <= 80, "\(line)")
    }
  }

  @Test("each command that is built is in the overview, and each of its options in its help")
  func complete() {
    for command in CommandName.allCases {
      guard let syntax = command.syntax else {
        #expect(!HelpText.overview.contains("  consumptiond \(command.rawValue)"))
        continue
      }
      #expect(HelpText.overview.contains("  consumptiond \(command.rawValue) "))
      guard command != .help else { continue }
      let text = HelpText.of(command)
      for option in syntax.builtOptions { #expect(text.contains("  \(option.shown)  ")) }
      if let operand = syntax.operand { #expect(text.contains(operand)) }
      for option in syntax.options where !option.isBuilt {
        #expect(!text.contains("--\(option.name)"))
      }
    }
  }

  static let snapshots: [(String, String)] = [
    (
      "help",
      """
      consumptiond answers Apple's CONSUMPTION_REQUEST notifications from your own
      PostgreSQL: proven, with consent, in time, by your rules.

        consumptiond run [--drain]        the daemon; --drain: until nothing is due
        consumptiond migrate              install or renew the schema; --print it
        consumptiond enqueue [FILE|-]     put signed payloads into the queue
        consumptiond verify [FILE|-]      verify and print a signed payload
        consumptiond status               what is open, how long it has, what is wrong
        consumptiond show ID              one request whole, and why it ended so
        consumptiond help [COMMAND]       this, or all about a command
        consumptiond --version

      Every command takes --config FILE (default: consumptiond.json here, then in
      /etc/consumptiond). CONSUMPTIOND_DATABASE overrides the database in it.

      Exit status: 0 done, 64 wrong command line, 65 the input does not hold or names
      nothing, 69 the database is away, 70 a fault of consumptiond's, 75 try later,
      77 no permission, 78 the configuration or the schema must change.
      """
    ),
    (
      "help run",
      """
      consumptiond run [--drain] [--config FILE]

      The daemon: reads the inbox, decides, and answers Apple until SIGTERM or SIGINT.
      Then it starts nothing new, waits up to 12 s for requests in flight, and exits 0
      within 15 s; a second signal ends it at once. Any number may run side by side.

        --drain        work until nothing is due, then exit 0; what waits for a later
                       moment stays. Database away for 30 s: exit 69
        --config FILE  the configuration

      A database that is away is waited for. The log goes to standard error, a line an
      event: for people on a terminal, elsewhere JSON with at, level, event, message,
      and request and transaction where it is about one.
      """
    ),
    (
      "migrate --help",
      """
      consumptiond migrate [--database CONNINFO | --print] [--config FILE]

      Installs the schema consumptiond in your database, or brings it up to date. May
      be repeated, and run twice at once. Needs no superuser and no extension; run
      deploy/roles.sql before it if you want separate roles.

        --database CONNINFO  connect so, as an owner's role; no configuration is read
        --print              print the statements of a first installation, run nothing
        --config FILE        the configuration; of it only the database is read
      """
    ),
    (
      "help enqueue",
      """
      consumptiond enqueue [FILE|-] [--config FILE]

      Puts what Apple posted into the queue, as SELECT consumptiond.enqueue($1) does,
      and prints the id of each payload. FILE (or standard input) holds one signed
      payload or Apple's whole body, or one of them a line. The same payload twice is
      one, with the same id: after an error the whole input may be given again.

      Nothing is verified here: that is the daemon's work. See consumptiond show ID.

        --config FILE  the configuration; of it only the database is read
      """
    ),
    (
      "verify -h",
      """
      consumptiond verify [FILE|-] [--root FILE] [--json] [--config FILE]

      Verifies a signed payload or Apple's whole body, all signatures in it, and
      prints what it says. With a configuration (by --config, or where it is looked
      for) the app and the environment must be yours; without one signatures alone
      are checked. Exit 65 and the reason when it does not hold.

        --root FILE    trust this certificate (PEM or DER) in place of trustedRoots
                       and of Apple's root
        --json         {"valid": true, "notification": …, "transaction": …,
                       "renewal": …}: the objects as they were signed, null where
                       there is none; or {"valid": false, "reason": …, "detail": …}
        --config FILE  the configuration; keys and the database are not touched

      Reasons: too_large, malformed, algorithm, date, chain, signature, version,
      environment, bundle_id, app_apple_id.
      """
    ),
    (
      "help status",
      """
      consumptiond status [--json] [--config FILE]

      What is wrong and what to do about it, what is open and how long it has (the 20
      that are due first), and how many requests are in which state.

        --json         one object on one line, at most 1000 open requests:
                       schema_version, daemon_connections, unread,
                       oldest_unread_seconds, missed_last_week, rejected_last_day,
                       states [{state, state_reason, requests}],
                       open [{id, bundle_id, environment, transaction_id, state,
                       state_reason, late, deadline, seconds_left, attempts,
                       next_attempt_at, last_error}],
                       lost (missed or failed in 7 days) [{id, bundle_id, environment,
                       transaction_id, state, state_reason, deadline, last_error}],
                       rejected (in 24 hours) [{reason, payloads, newest_id,
                       newest_at, newest_detail}],
                       problems [{problem, message}]
        --config FILE  the configuration; of it only the database is read

      Problems: unread, late, missed, failed, no_daemon, stalled, errors, ambiguous,
      rejected.
      """
    ),
    (
      "show 12 --help",
      """
      consumptiond show ID [--json] [--config FILE]

      One request whole: the story in plain words, what was known and decided, every
      attempt. ID is a request id, a transaction id or a notification's UUID; digits
      are taken for a request id first. Where several requests match, they are listed
      and all are shown. Exit 65 when none does, with what became of the payload.

        --json         an object a line for each request: the columns of the view
                       consumptiond.request (\\d+ explains them) and tries, the rows
                       of consumptiond.attempt without request_id
        --config FILE  the configuration; of it only the database is read
      """
    ),
  ]
}
