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
        consumptiond check                try what an answer needs, before Apple does
        consumptiond enqueue [FILE|-]     put signed payloads into the queue
        consumptiond verify [FILE|-]      verify and print a signed payload
        consumptiond preview ID|FILE      what would be answered now, and why
        consumptiond status               what is open, how long it has, what is wrong
        consumptiond show ID              one request whole, and why it ended so
        consumptiond answer ID --prefer … a person decides
        consumptiond retry ID             at once instead of later; --redecide: anew
        consumptiond cancel ID            never: nothing is sent
        consumptiond pause [--app …]      stop sending, for all apps or one
        consumptiond resume [--app …]     and start again
        consumptiond adopt                take over a copied database
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
      consumptiond status [--json] [--watch [SECONDS] | --exit-code] [--config FILE]

      What is wrong and what to do about it, what is open and how long it has (the 20
      that are due first), and how many requests are in which state.

        --json             one object on one line, at most 1000 open requests:
                           schema_version, daemon_connections, unread,
                           oldest_unread_seconds, missed_last_week, rejected_last_day,
                           paused [{bundle_id (null: all), by, note, seconds}],
                           states [{state, state_reason, requests}],
                           open [{id, bundle_id, environment, transaction_id, state,
                           state_reason, late, deadline, seconds_left, attempts,
                           next_attempt_at, last_error}],
                           lost (missed or failed in 7 days) [{id, bundle_id,
                           environment, transaction_id, state, state_reason, deadline,
                           last_error}],
                           rejected (in 24 hours) [{reason, payloads, newest_id,
                           newest_at, newest_detail}],
                           problems [{problem, message}]
        --watch [SECONDS]  again every 2 (or SECONDS) s, until Ctrl-C; waits for a
                           database that goes away
        --exit-code        for probes: exit 75 when people should look
        --config FILE      the configuration; of it only the database is read

      Problems: paused, unread, late, missed, failed, no_daemon, stalled, errors,
      ambiguous, rejected. Exit 75 by --exit-code: paused, unread, late, stalled,
      no_daemon when there is something to do, and missed and failed for a day.
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
    (
      "help check",
      """
      consumptiond check [--customer ID] [--json] [--config FILE]

      Tries what an answer needs, before Apple does: the configuration, keys and their
      files, roots, the database and the settings that reach the daemon, its clock,
      the schema and the grants, LISTEN, each query described, a customer who does not
      exist run through all of them, each rule by itself, and the rules' tests.
      Answers nothing, sends nothing, keeps nothing.

        --customer ID  run this customer's consent and usage through the queries too
        --json         {"fine": …, "doubtful": …, "wrong": …, "findings": [{level,
                       subject, message, cure, expression, position}]}
        --config FILE  the configuration, whole

      doubtful works, and wants thought. Exit 78 when something is wrong, 69 when that
      is a database that is away.
      """
    ),
    (
      "help preview",
      """
      consumptiond preview ID|FILE|- [--json] [--config FILE]

      What would be answered now, and why, found by the steps that the daemon takes:
      customer, consent, usage, rules. Sends nothing and changes nothing. ID is an
      open request, as for show; FILE holds a signed payload or Apple's whole body,
      which need not be in the queue. A file whose name is digits is ./NAME.

        --json         {"would_send": …, "state": how it would be left unsent or null,
                       "state_reason", "body", "rule", "refund_preference", "facts",
                       "cost", "currency", "customer", "consent", "explanation", …}
        --config FILE  the configuration, whole

      Of a request that waits or is held for review the answer is shown that would go
      out had it to be decided now. Exit 65 when a request is final or a payload does
      not hold.
      """
    ),
    (
      "help answer",
      """
      consumptiond answer ID --prefer PREFERENCE [--note TEXT] [--config FILE]

      A person decides: a request that a rule left to one (held, review), or any other
      in place of the rules, as long as nothing went out. Kept with your name (of
      SUDO_USER, USER or LOGNAME) and told by show. It does not stand in for consent.

        --prefer PREFERENCE  DECLINE, GRANT_FULL, GRANT_PRORATED, NONE (answer without
                             a preference) or NO_ANSWER (send nothing)
        --note TEXT          why; kept beside it
        --config FILE        the configuration; of it only the database is read

      Exit 65 when the request is final or went out already, 75 while a worker is on
      it.
      """
    ),
    (
      "help retry",
      """
      consumptiond retry ID [--redecide] [--config FILE]

      An open request that waits or is held is ready at once: its customer and his
      consent are looked up again, and the answer goes out as it was decided.

        --redecide     forget what was decided, and decide anew; only while nothing
                       went out, for a second answer must be the bytes of the first
        --config FILE  the configuration; of it only the database is read

      ID as for show; what names several requests is listed, and nothing is done.
      Exit 65 when the request is final, or went out already (--redecide), 75 while a
      worker is on it.
      """
    ),
    (
      "help cancel",
      """
      consumptiond cancel ID [--config FILE]

      Ends an open request: nothing (more) is sent. Final, and not to be taken back.

        --config FILE  the configuration; of it only the database is read

      Exit 65 when the request is final already, 75 while a worker is on it.
      """
    ),
    (
      "help pause",
      """
      consumptiond pause [--app BUNDLE] [--note TEXT] [--config FILE]

      From now on nothing is claimed and nothing sent, by any daemon of the database,
      until consumptiond resume; what is with Apple already comes to its end. Payloads
      are read on, and requests keep their deadlines: status and the daemon's log say
      so while it lasts.

        --app BUNDLE   for this app alone
        --note TEXT    why
        --config FILE  the configuration; of it the database and the apps are read

      Exit 65 when no such app is configured. A pause that lasts already stays as it
      is: exit 0.
      """
    ),
    (
      "help resume",
      """
      consumptiond resume [--app BUNDLE] [--config FILE]

      Ends the pause for all apps, or the one for BUNDLE, and says which are left.

        --app BUNDLE   the pause of this app
        --config FILE  the configuration; of it only the database is read
      """
    ),
    (
      "help adopt",
      """
      consumptiond adopt [--cancel-open] [--config FILE]

      Writes the configuration's `instance` into the database. The first daemon with
      an instance does so by itself; where another name stands there (in a copy of
      another's database), run refuses with exit 78 until this was given.

        --cancel-open  cancel what is open and leave unread what is unread: for a copy
                       whose original goes on to answer Apple
        --config FILE  the configuration; of it the database and the instance are read
      """
    ),
  ]
}
