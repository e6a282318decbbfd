import PostgreSQL
import Testing

@testable import consumptiond

@Suite("Where the database is, and how it is reached")
struct DatabaseAccessTests {
  private func access(
    _ database: String?, listen: Configuration.Listen = .database, insecure: Bool = false
  ) -> DatabaseAccess {
    DatabaseAccess(
      file: "c.json",
      connections: Configuration.DatabaseConnections(
        database: database.map { Secret($0) }, listen: listen, allowInsecureDatabase: insecure,
        searchPath: "public"),
      environment: [:])
  }

  @Test("another host is reached with verify-full, unless less is allowed")
  func security() throws {
    let other = try access("host=db1 dbname=a").database()
    #expect(other["sslmode"] == "verify-full")
    #expect(other["target_session_attrs"] == "read-write")
    #expect(try access("host=/run/postgresql").database()["sslmode"] == nil)
    #expect(
      try access("host=db1 sslmode=disable", insecure: true).database()["sslmode"] == "disable")
    let refused = #expect(throws: ConfigurationError.self) {
      try access("host=db1 password=hunter2 sslmode=prefer").database()
    }
    #expect(refused?.description.hasPrefix("c.json: database: found an sslmode less than") == true)
    #expect(refused?.description.contains("hunter2") == false)
  }

  @Test("LISTEN goes over the same settings, others, or nowhere")
  func listen() throws {
    #expect(try access("dbname=a").listen()?["dbname"] == "a")
    #expect(try access("dbname=a", listen: .off).listen() == nil)
    #expect(try access("dbname=a", listen: .direct(Secret("dbname=b"))).listen()?["dbname"] == "b")
  }

  @Test("who writes an sslmode on the command line means it")
  func stated() throws {
    func stated(_ text: String) throws -> String? {
      try DatabaseAccess.stated(Secret(text), environment: [:])["sslmode"]
    }
    #expect(try stated("host=db1") == "verify-full")
    #expect(try stated("host=db1 sslmode=require") == "require")
  }
}
