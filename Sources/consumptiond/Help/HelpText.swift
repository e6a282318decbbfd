/// What `help` prints. No line is longer than 80 columns.
enum HelpText {
  static func of(_ command: CommandName) -> String {
    switch command {
    case .run: run
    case .migrate: migrate
    case .enqueue: enqueue
    case .verify: verify
    case .status: status
    case .show: show
    case .check: check
    case .preview: preview
    case .answer: answer
    case .retry: retry
    case .cancel: cancel
    case .pause: pause
    case .resume: resume
    case .adopt: adopt
    case .help, .alerts, .report, .backtest, .backfill, .prune, .forget, .export:
      overview
    }
  }

  static let overview = """
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
}
