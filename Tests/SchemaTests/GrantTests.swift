import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("Grants") struct GrantTests {
  private let server: PostgresServer
  private let database: String

  init() throws { (server, database) = try RolesServer.schema() }

  private static let tables = [
    "attempt", "inbox", "instance", "lease", "ledger", "override", "pause", "rejected", "request",
    "request_evidence", "request_state", "schema_version",
  ]

  /// Each role's rights on whole tables and views. Who is not here has none.
  private static let expected: Set<String> = {
    var rights: Set<String> = []
    for table in tables where table != "schema_version" {
      for right in ["SELECT", "INSERT", "UPDATE", "DELETE"] {
        rights.insert("consumptiond \(right) \(table)")
      }
    }
    rights.insert("consumptiond SELECT schema_version")
    for table in ["rejected", "attempt"] {
      rights.insert("consumptiond_reader SELECT \(table)")
      rights.insert("consumptiond_support SELECT \(table)")
    }
    rights.insert("consumptiond_support SELECT request")
    return rights
  }()

  private static let roles = [
    "consumptiond", "consumptiond_enqueue", "consumptiond_consent", "consumptiond_usage",
    "consumptiond_reader", "consumptiond_support", "nobody",
  ]

  @Test("Each role has the rights that it needs on tables, and no other") func tableRights() throws
  {
    var connection = try server.connect(to: database)
    let rights = try connection.values(
      """
      SELECT format('%s %s %s', role, privilege, c.relname)
      FROM unnest($1::text[]) role
      CROSS JOIN unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) privilege
      CROSS JOIN pg_class c
      WHERE c.relnamespace = 'consumptiond'::regnamespace AND c.relkind IN ('r', 'v')
          AND has_table_privilege(role, c.oid, privilege)
      """, [.array(Self.roles)])
    #expect(Set(rights).subtracting(Self.expected) == [])
    #expect(Self.expected.subtracting(rights) == [])
    #expect(
      try connection.values(
        """
        SELECT relname::text FROM pg_class
        WHERE relnamespace = 'consumptiond'::regnamespace AND relkind IN ('r', 'v') ORDER BY 1
        """) == Self.tables)
  }

  @Test("Nobody but the daemon touches a sequence, and nobody makes objects") func otherRights()
    throws
  {
    var connection = try server.connect(to: database)
    #expect(
      try connection.values(
        """
        SELECT role FROM unnest($1::text[]) role
        WHERE has_schema_privilege(role, 'consumptiond', 'CREATE')
        """, [.array(Self.roles)]) == [])
    #expect(
      try connection.values(
        """
        SELECT role FROM unnest($1::text[]) role
        WHERE has_schema_privilege(role, 'consumptiond', 'USAGE') ORDER BY role
        """, [.array(Self.roles)])
        == ["consumptiond", "consumptiond_enqueue", "consumptiond_reader", "consumptiond_support"])
    #expect(
      try connection.values(
        """
        SELECT role FROM unnest($1::text[]) role CROSS JOIN pg_class c
        WHERE c.relnamespace = 'consumptiond'::regnamespace AND c.relkind = 'S'
            AND has_sequence_privilege(role, c.oid, 'USAGE, SELECT, UPDATE')
        """, [.array(Self.roles)]) == [])
  }

  @Test("Each role may call what it needs") func functions() throws {
    var connection = try server.connect(to: database)
    let rights = try connection.values(
      """
      SELECT format('%s %s', role, p.proname) FROM unnest($1::text[]) role CROSS JOIN pg_proc p
      WHERE p.pronamespace = 'consumptiond'::regnamespace AND role <> 'consumptiond'
          AND has_function_privilege(role, p.oid, 'EXECUTE') ORDER BY 1
      """, [.array(Self.roles)])
    #expect(
      rights == [
        "consumptiond_enqueue enqueue", "consumptiond_support reason_words",
        "consumptiond_support state_words", "consumptiond_support utc",
      ])
  }

  @Test("The webhook's role hands payloads over and reads nothing") func enqueue() throws {
    var connection = try server.connect(to: database, user: "user_enqueue")
    #expect(try connection.value("SELECT consumptiond.enqueue('a.b.c')") != nil)
    #expect(try connection.value("SELECT consumptiond.enqueue('a.b.d', notify => false)") != nil)
    for table in Self.tables {
      #expect(try connection.refusal("SELECT FROM consumptiond.\(table)") == "42501", "\(table)")
    }
    #expect(
      try connection.refusal(
        "INSERT INTO consumptiond.inbox (sha256, payload) VALUES ('x', 'y')") == "42501")
    #expect(try connection.refusal("SET ROLE consumptiond_owner") == "42501")
  }

  @Test("Readers see requests without their people") func reader() throws {
    var connection = try server.connect(to: database, user: "user_reader")
    let hidden = ["customer", "consent", "facts", "body", "explanation"]
    var admin = try server.connect(to: database)
    let columns = try admin.values(
      """
      SELECT attname::text FROM pg_attribute
      WHERE attrelid = 'consumptiond.request'::regclass AND attnum > 0
      """)
    let visible = columns.filter { !hidden.contains($0) }
    #expect(visible.count == columns.count - hidden.count)
    #expect(
      try connection.refusal("SELECT \(visible.joined(separator: ", ")) FROM consumptiond.request")
        == nil)
    for column in hidden {
      #expect(
        try connection.refusal("SELECT \(column) FROM consumptiond.request") == "42501", "\(column)"
      )
      #expect(
        try connection.refusal("SELECT id FROM consumptiond.request WHERE \(column) IS NULL")
          == "42501", "\(column)")
    }
    #expect(try connection.refusal("SELECT * FROM consumptiond.request") == "42501")
    #expect(try connection.refusal("SELECT * FROM consumptiond.attempt") == nil)
    #expect(try connection.refusal("SELECT * FROM consumptiond.rejected") == nil)
    #expect(try connection.refusal("SELECT * FROM consumptiond.request_evidence") == "42501")
    #expect(try connection.refusal("SELECT consumptiond.enqueue('a.b.c')") == "42501")
  }

  @Test("Support sees the whole story and changes nothing") func support() throws {
    var admin = try server.connect(to: database)
    _ = try admin.insertRequest(state: "held", reason: "no_consent")
    var connection = try server.connect(to: database, user: "user_support")
    #expect(
      try connection.value("SELECT explanation FROM consumptiond.request")?.contains(
        "not consented")
        == true)
    #expect(try connection.refusal("SELECT * FROM consumptiond.request") == nil)
    #expect(try connection.refusal("SELECT * FROM consumptiond.inbox") == "42501")
    #expect(try connection.refusal("SELECT * FROM consumptiond.lease") == "42501")
    #expect(
      try connection.refusal("UPDATE consumptiond.request SET state = 'cancelled'") != nil)
    #expect(
      try connection.refusal("UPDATE consumptiond.request_state SET state = 'cancelled'") == "42501"
    )
  }

  @Test("The roles for consent and usage have no business here", arguments: ["consent", "usage"])
  func others(role: String) throws {
    var connection = try server.connect(to: database, user: "user_\(role)")
    #expect(try connection.refusal("SELECT FROM consumptiond.request") == "42501")
    #expect(try connection.refusal("SELECT consumptiond.enqueue('a.b.c')") == "42501")
  }

  @Test("The daemon's role works the queue and owns nothing") func daemon() throws {
    var connection = try server.connect(to: database, user: "consumptiond")
    #expect(try connection.value("SELECT consumptiond.enqueue('daemon.b.c')") != nil)
    #expect(try connection.refusal("SELECT * FROM consumptiond.inbox") == nil)
    #expect(try connection.refusal("SELECT * FROM consumptiond.request") == nil)
    #expect(
      try connection.refusal("INSERT INTO consumptiond.schema_version VALUES (9, 9)") == "42501")
    #expect(try connection.refusal("DROP VIEW consumptiond.request") == "42501")
    #expect(
      try connection.refusal("ALTER TABLE consumptiond.request_state DISABLE TRIGGER ALL")
        == "42501")
    #expect(try Migrator.complaint(&connection) == nil)
    // Its defaults arrive with it.
    #expect(try connection.value("SHOW default_transaction_isolation") == "read committed")
  }
}
