import PostgreSQL
import Store
import TestSupport
import Testing

@Suite("Who owns the schema") struct OwnershipTests {
  /// The owners of the schema and of everything in it.
  private static let owners = """
    SELECT DISTINCT pg_get_userbyid(owner)::text FROM (
        SELECT nspowner AS owner FROM pg_namespace WHERE nspname = 'consumptiond'
        UNION ALL SELECT relowner FROM pg_class WHERE relnamespace = 'consumptiond'::regnamespace
        UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'consumptiond'::regnamespace) x
    """

  private func login(_ connection: inout Connection, grants: String = "") throws -> String {
    let name = "migrator_\(UInt32.random(in: 0 ... .max))"
    try connection.script("CREATE ROLE \(name) LOGIN; \(grants.replacing("$", with: name))")
    return name
  }

  @Test("A superuser installs for consumptiond_owner") func superuser() throws {
    let (server, name) = try RolesServer.schema()
    var connection = try server.connect(to: name)
    #expect(try connection.values(Self.owners) == ["consumptiond_owner"])
    #expect(
      try connection.value("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'consumptiond_owner'")
        == "f")
  }

  @Test("A member of consumptiond_owner installs for it, and goes on as himself")
  func member() throws {
    let (server, name) = try RolesServer.database()
    var admin = try server.connect(to: name)
    let user = try login(&admin, grants: "GRANT consumptiond_owner TO $")
    var connection = try server.connect(to: name, user: user)
    _ = try Migrator.migrate(&connection)
    #expect(try admin.values(Self.owners) == ["consumptiond_owner"])
    #expect(try connection.value("SELECT current_user::text") == user)
  }

  @Test("Whoever is no member owns it himself, and stays its owner") func stranger() throws {
    let (server, name) = try RolesServer.database()
    var admin = try server.connect(to: name)
    let user = try login(&admin, grants: "GRANT CREATE ON DATABASE \(name) TO $")
    var connection = try server.connect(to: name, user: user)
    _ = try Migrator.migrate(&connection)
    #expect(try admin.values(Self.owners) == [user])
    // The same again by one who could become consumptiond_owner.
    _ = try Migrator.migrate(&admin)
    #expect(try admin.values(Self.owners) == [user])
  }

  @Test("Without roles the connecting role owns it and may do everything") func withoutRoles()
    throws
  {
    let server = try TestServer.shared()
    let name = try server.createDatabase()
    var admin = try server.connect(to: name)
    let user = try login(&admin, grants: "GRANT CREATE ON DATABASE \(name) TO $")
    var connection = try server.connect(to: name, user: user)
    _ = try Migrator.migrate(&connection)
    #expect(try admin.values(Self.owners) == [user])
    #expect(try connection.value("SELECT consumptiond.enqueue('a.b.c')") != nil)
    #expect(try connection.value("SELECT count(*) FROM consumptiond.request") == "0")
    #expect(try connection.value("SELECT count(*) FROM consumptiond.inbox") == "1")
  }

  @Test("Roles that are made later get their grants by the next migration") func later() throws {
    let server = try PostgresServer.start()
    defer { server.remove() }
    let name = try server.createDatabase()
    var connection = try server.connect(to: name)
    _ = try Migrator.migrate(&connection)
    try connection.script(RolesServer.rolesScript)
    let mayEnqueue =
      "SELECT has_function_privilege('consumptiond_enqueue', 'consumptiond.enqueue(text, boolean)', 'EXECUTE')"
    #expect(try connection.value(mayEnqueue) == "f")
    _ = try Migrator.migrate(&connection)
    #expect(try connection.value(mayEnqueue) == "t")
  }
}
