import PostgreSQL
import TestSupport
import Testing

@Suite("Connection settings") struct ConninfoTests {
  private static let password = "hunter2-ä"

  private func shows(_ value: Any) -> Bool {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), dumped].contains {
      $0.contains("hunter2")
    }
  }

  @Test("Keywords and URIs are understood") func parse() throws {
    let keywords = try Conninfo("host=a,b port=1,2 user=u password='\(Self.password)'")
    #expect(keywords["host"] == "a,b")
    #expect(keywords["password"] == Self.password)
    #expect(keywords["dbname"] == nil)
    #expect(keywords.description == "host=a,b port=1,2 user=u")
    let uri = try Conninfo("postgresql://u:hunter2@h:5/d?application_name=x")
    #expect(uri["dbname"] == "d")
    #expect(uri["application_name"] == "x")
    #expect(!shows(keywords) && !shows(uri))
    #expect(try Conninfo("").description == "libpq's defaults")
  }

  @Test(
    "What cannot be parsed is refused without a word of it",
    arguments: [
      "host=a password=hunter2 nonsense", "password='hunter2", "pasword=hunter2",
      "postgresql://u:hunter2@[h/d", "postgresql://u:hunter2@h/d?x=y", "hunter2", "host=a\0hunter2",
    ])
  func unreadable(_ text: String) {
    let error = #expect(throws: PostgresError.self) { try Conninfo(text) }
    #expect(error?.kind == .conninfo)
    #expect(!shows(error as Any))
  }

  @Test(
    "No error of a connection attempt shows the password, not even a misplaced one",
    arguments: [
      "host=/nowhere password=hunter2", "host=127.0.0.1 port=1 password=hunter2 user=hunter2",
      "host=127.0.0.1 port='5432password=hunter2'", "host=127.0.0.1 sslmode='x password=hunter2'",
      "host='127.0.0.1 password=hunter2'", "postgresql://u:hunter2/x@127.0.0.1/d",
      "postgresql://u:x@hunter2@127.0.0.1/d", "host=127.0.0.1 connect_timeout='3password=hunter2'",
    ])
  func attempts(_ text: String) throws {
    let info = try Conninfo(text)
    let error = #expect(throws: PostgresError.self) {
      _ = try Connection(info, timeout: .seconds(5))
    }
    #expect(error?.kind == .connection)
    #expect(!shows(error as Any))
    #expect(!shows(info) || info["user"] == "hunter2")
  }

  @Test("Why a connection was refused is told") func reason() throws {
    let server = try TestServer.shared()
    let error = #expect(throws: PostgresError.self) { _ = try server.connect(to: "absent") }
    #expect(error?.message.contains("database \"absent\" does not exist") == true)
    #expect(error?.message.contains("\n") == false)
  }

  @Test("Defaults notice a lost server in seconds, and yield to what is given") func defaults()
    throws
  {
    let info = try Conninfo("host=a keepalives_idle=99").withDefaults()
    #expect(info["connect_timeout"] == "3")
    #expect(info["tcp_user_timeout"] == "5000")
    #expect(info["keepalives_idle"] == "99")
    #expect(info["keepalives_interval"] == "3")
    #expect(info["target_session_attrs"] == nil)
    #expect(info.withDefaults(readWrite: true)["target_session_attrs"] == "read-write")
    let given = try Conninfo("target_session_attrs=any").withDefaults(readWrite: true)
    #expect(given["target_session_attrs"] == "any")
  }

  @Test("The connection has a name, the given one or ours, and speaks UTF-8") func name() throws {
    let server = try TestServer.shared()
    var info = try Conninfo(server.conninfo(database: "postgres") + " client_encoding=LATIN1")
    var connection = try Connection(info, timeout: .seconds(10))
    let show = "SELECT current_setting('application_name'), current_setting('client_encoding')"
    #expect(try connection.query(show)[0].string(0) == "consumptiond")
    #expect(try connection.query(show)[0].string(1) == "UTF8")
    info["application_name"] = "mine"
    var named = try Connection(info, timeout: .seconds(10))
    #expect(try named.query(show)[0].string(0) == "mine")
    #expect(connection.serverVersion >= 140000)
    #expect(connection.parameterStatus("in_hot_standby") == "off")
  }
}
