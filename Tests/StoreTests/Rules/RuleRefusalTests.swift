import Decision
import PostgreSQL
import TestSupport
import Testing

@testable import Store

@Suite("Rules that are refused") struct RuleRefusalTests {
  private let database: UserDatabase

  init() throws {
    database = try UserDatabase(
      """
      CREATE TABLE account (id bigint);
      INSERT INTO account VALUES (1);
      CREATE FUNCTION mine(numeric) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
      CREATE FUNCTION mine_too(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
          $$ BEGIN RETURN true; END $$;
      CREATE TYPE mood AS ENUM ('good', 'bad');
      CREATE COLLATION own FROM "C";
      CREATE OPERATOR === (FUNCTION = numeric_eq, LEFTARG = numeric, RIGHTARG = numeric);
      """)
  }

  private static let refused: [(rule: String, message: String)] = [
    // It reads something else than the facts.
    ("EXISTS (SELECT FROM public.account)", "cannot use subquery"),
    ("cost > (SELECT count(*) FROM public.account)", "cannot use subquery"),
    ("1 IN (SELECT id FROM public.account)", "cannot use subquery"),
    (
      "query_to_xml('SELECT 1', true, true, '') IS NOT NULL",
      "generation expression is not immutable"
    ),
    ("pg_catalog.pg_read_file('/etc/passwd') = ''", "generation expression is not immutable"),
    ("current_setting('search_path') = ''", "generation expression is not immutable"),
    ("current_user = 'postgres'", "generation expression is not immutable"),
    ("has_table_privilege('public.account', 'SELECT')", "generation expression is not immutable"),
    ("id = 1", "column \"id\" does not exist"),
    ("account.id = 1", "missing FROM-clause entry for table \"account\""),
    ("\"Cost\" > 1", "column \"Cost\" does not exist"),
    ("const > 1", "column \"const\" does not exist"),
    ("earlier_requests > 1", "column \"earlier_requests\" does not exist"),
    // It does something.
    ("pg_sleep(10) IS NULL", "generation expression is not immutable"),
    ("set_config('role', 'postgres', false) = ''", "generation expression is not immutable"),
    ("lo_create(0) > 0", "generation expression is not immutable"),
    ("pg_advisory_lock(1) IS NULL", "generation expression is not immutable"),
    ("pg_terminate_backend(1)", "generation expression is not immutable"),
    ("txid_current() > 0", "generation expression is not immutable"),
    ("dblink('x', 'y') IS NULL", "function dblink(unknown, unknown) does not exist"),
    // Its value depends on more than the facts.
    ("now() > '2026-01-01'", "generation expression is not immutable"),
    ("random() > 0.5", "generation expression is not immutable"),
    ("clock_timestamp() IS NOT NULL", "generation expression is not immutable"),
    ("to_char(asked_after, 'DD') = '01'", "generation expression is not immutable"),
    ("gen_random_uuid() IS NULL", "generation expression is not immutable"),
    // It is somebody's own.
    ("public.mine(cost)", "not built in"), ("public.mine_too(reason)", "not built in"),
    ("'good'::public.mood = 'bad'", "not built in"),
    ("reason COLLATE public.own < 'A'", "not built in"),
    ("cost OPERATOR(public.===) 1", "not built in"),
    ("mine(cost)", "function mine(numeric) does not exist"),
    // It is no expression over one row.
    ("count(*) > 1", "aggregate functions are not allowed"),
    ("sum(cost) > 1", "aggregate functions are not allowed"),
    ("row_number() OVER () = 1", "window functions are not allowed"),
    ("generate_series(1, 2) = 1", "set-returning functions are not allowed"),
    ("tableoid = 1", "system column"), ("ctid IS NULL", "system column"),
    ("xmin IS NULL", "system column"),
    ("consumptiond_facts IS NULL", "whole-row variable"),
    ("cost > $1", "there is no parameter $1"), ("$1", "parameter"),
    // It is no boolean.
    ("cost", ""), ("1", ""), ("'yes please'", "invalid input syntax for type boolean"),
    ("cost + 1", ""), ("reason", ""), ("NULL::text", ""), ("(true, true)", ""),
    // It is more or less than one expression.
    ("", "syntax error"), ("-- true", "syntax error"), ("true;", "syntax error"),
    ("true; DROP TABLE public.account", "syntax error"),
    ("true) STORED, ADD COLUMN evil boolean GENERATED ALWAYS AS (true", "syntax error"),
    ("true) STORED, ADD COLUMN evil integer DEFAULT (1", "syntax error"),
    ("true), ADD COLUMN evil boolean GENERATED ALWAYS AS (true", "syntax error"),
    ("true) STORED; DROP TABLE public.account; --", "syntax error"),
    ("true) STORED --", "syntax error"), ("true) OR (true", ""), ("true, true", ""),
    ("true) , (true", ""), ("true /*", "unterminated /* comment"),
    ("true */", "syntax error"), ("reason = 'x", "unterminated quoted string"),
    ("reason = $$x", "unterminated dollar-quoted string"), ("reason = \"x", "unterminated quoted"),
    ("reason = $a$x$b$", "unterminated dollar-quoted string"), ("cost >", "syntax error"),
    ("cost > 1 cost", "syntax error"), ("SELECT true", "syntax error"),
    ("true FROM public.account", "syntax error"), ("true\0", ""),
  ]

  @Test("Each is refused with its place and for its reason") func refused() throws {
    var connection = try database.connect()
    for (rule, message) in Self.refused {
      let fault = try UserDatabase.fault(
        sources: [RuleTable.calls], rules: RuleTable.rules(["true", rule]), on: &connection)
      #expect(
        fault?.hasPrefix("response.refundPreference.rules[1].when: rule \"rule 1\": ") == true,
        "\(rule): \(fault ?? "accepted")")
      #expect(fault?.contains(message) == true, "\(rule): \(fault ?? "accepted")")
      let status = connection.transactionStatus
      #expect(status == .idle, "\(rule)")
    }
    // And nothing happened.
    #expect(try connection.value("SELECT count(*) FROM account") == "1")
    #expect(try connection.value("SHOW role") == "none")
    #expect(try connection.value("SELECT count(*) FROM pg_largeobject_metadata") == "0")
    #expect(try connection.value("SELECT to_regclass('pg_temp.consumptiond_facts')") == nil)
    #expect(
      try connection.value(
        """
        SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory'
        """) == "0")
  }

  @Test("The place is counted in characters, and its text is shown") func place() throws {
    var connection = try database.connect()
    for (rule, place) in [
      ("cost > 1 AND wrong", "(at character 14: wrong)"),
      ("reason = 'é👍🏽' AND wrong", "(at character 20: wrong)"),
      ("wrong", "(at character 1: wrong)"), ("cost > 1\n  AND wrong", "(at character 16: wrong)"),
    ] {
      let fault = try UserDatabase.fault(rules: RuleTable.rules([rule]), on: &connection)
      #expect(fault?.contains(place) == true, "\(fault ?? "accepted")")
    }
  }

  @Test("What the sample configuration uses is accepted, and comments and quotes are no harm")
  func accepted() throws {
    var connection = try database.connect()
    for rule in [
      "reason IS NULL OR reason NOT IN ('UNINTENDED_PURCHASE', 'UNSATISFIED_WITH_PURCHASE', 'OTHER')",
      "cost = 0 AND asked_after < interval '7 days'", "cost_share >= 0.5",
      "period_position = 'current' AND elapsed BETWEEN 0.1 AND 0.9", "free_trial", "NOT free_trial",
      "true", "NULL", "calls > 100 AND calls_cost / nullif(calls, 0) > 0.01", "cost > 5 -- much",
      "cost > 5 /* much; ) */", "reason = $$it's; --$$", "reason ~ '^UN'",
      "lower(reason) LIKE 'un%'",
      "quantity IN (1, 2, 3)", "round(cost, 2) = 5.00", "greatest(cost, price) > 3",
      "CASE WHEN price > 10 THEN cost > 5 ELSE cost > 2 END", "product_id = ANY ('{a,b}')",
      "(cost > 5)\nOR\n(cost < 1)", "storefront = 'USA' IS TRUE", "billing_period_number % 2 = 0",
      "product_type IS DISTINCT FROM 'Consumable'", "length(product_id) > 3 AND \"cost\" > 1",
    ] {
      #expect(
        try UserDatabase.fault(
          sources: [RuleTable.calls], rules: RuleTable.rules([rule]), on: &connection) == nil,
        "\(rule)")
    }
  }

  @Test("The facts of a rule are those that it uses") func usedFacts() throws {
    var connection = try database.connect()
    let queries = try UserDatabase.compile(
      sources: [RuleTable.calls],
      rules: RuleTable.rules([
        "cost > 5 OR reason = 'LEGAL'", "true", "calls_cost > calls AND calls > 1",
        "1 < 2",
      ]), on: &connection)
    #expect(
      queries.rules.usedFacts.map { $0.map(\.rawValue).sorted() } == [
        ["cost", "reason"], [], ["calls", "calls_cost"], [],
      ])
  }
}
