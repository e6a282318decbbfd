extension HelpText {
  static let answer = """
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

  static let retry = """
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

  static let cancel = """
    consumptiond cancel ID [--config FILE]

    Ends an open request: nothing (more) is sent. Final, and not to be taken back.

      --config FILE  the configuration; of it only the database is read

    Exit 65 when the request is final already, 75 while a worker is on it.
    """

  static let pause = """
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

  static let resume = """
    consumptiond resume [--app BUNDLE] [--config FILE]

    Ends the pause for all apps, or the one for BUNDLE, and says which are left.

      --app BUNDLE   the pause of this app
      --config FILE  the configuration; of it only the database is read
    """

  static let adopt = """
    consumptiond adopt [--cancel-open] [--config FILE]

    Writes the configuration's `instance` into the database. The first daemon with
    an instance does so by itself; where another name stands there (in a copy of
    another's database), run refuses with exit 78 until this was given.

      --cancel-open  cancel what is open and leave unread what is unread: for a copy
                     whose original goes on to answer Apple
      --config FILE  the configuration; of it the database and the instance are read
    """

  static let preview = """
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
  static let check = """
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
}
