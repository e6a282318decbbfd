import PostgreSQL
import TestSupport
import Testing

@Suite("The view consumptiond.request") struct ViewTests {
  private let schema: InstalledSchema

  init() throws { schema = try InstalledSchema() }

  @Test("Its columns are the published ones, in their order") func columns() throws {
    var connection = try schema.connect()
    let columns = try connection.query(
      """
      SELECT a.attname::text, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
      WHERE a.attrelid = 'consumptiond.request'::regclass AND a.attnum > 0 ORDER BY a.attnum
      """
    ).map { "\(try $0.string(0)) \(try $0.string(1))" }
    #expect(
      columns == [
        "id bigint", "notification_uuid text", "bundle_id text", "environment text",
        "transaction_id text", "original_transaction_id text", "product_id text",
        "product_type text", "reason text", "signed_at timestamp with time zone",
        "received_at timestamp with time zone", "deadline timestamp with time zone", "late boolean",
        "state text", "state_reason text", "customer text", "consent jsonb",
        "period_start timestamp with time zone", "period_end timestamp with time zone",
        "billing_plan text", "billing_period_number integer", "period_position text",
        "cost numeric", "currency text", "facts jsonb", "rule text", "refund_preference text",
        "body jsonb", "attempts integer", "next_attempt_at timestamp with time zone",
        "last_error text", "answered_at timestamp with time zone", "http_status integer",
        "explanation text",
      ])
  }

  @Test("The other published tables begin with the published columns") func tables() throws {
    var connection = try schema.connect()
    func columns(_ table: String) throws -> [String] {
      try connection.values(
        """
        SELECT attname::text FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0
        ORDER BY attnum
        """, [.text(table)])
    }
    #expect(
      try columns("consumptiond.rejected") == [
        "id", "received_at", "reason", "detail", "sha256", "bytes",
      ])
    #expect(
      Set([
        "id", "request_id", "number", "endpoint", "started_at", "ended_at", "result", "http_status",
        "apple_code", "apple_message", "repeat",
      ]).isSubset(of: try columns("consumptiond.attempt")))
  }

  @Test("\\d+ explains every column, and whatever people read") func comments() throws {
    var connection = try schema.connect()
    #expect(
      try connection.values(
        """
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = 'consumptiond.request'::regclass AND attnum > 0
            AND coalesce(col_description(attrelid, attnum), '') = ''
        """) == [])
    #expect(
      try connection.values(
        """
        SELECT name FROM unnest('{request,rejected,attempt}'::text[]) name
        WHERE obj_description(('consumptiond.' || name)::regclass, 'pg_class') IS NULL
        """) == [])
    #expect(
      try connection.value(
        "SELECT obj_description('consumptiond.enqueue'::regproc, 'pg_proc')") != nil)
  }

  @Test("The body is what was sent: after a refusal the required keys alone") func body() throws {
    var connection = try schema.connect()
    let id = try connection.insertRequest()
    _ = try connection.query(
      """
      UPDATE consumptiond.request_evidence SET decided_at = now(),
          body = '{"customerConsented":true,"refundPreference":"DECLINE","consumptionPercentage":5}'
      """)
    #expect(
      try connection.value("SELECT body ->> 'refundPreference' FROM consumptiond.request")
        == "DECLINE")
    _ = try connection.query("UPDATE consumptiond.request_state SET degraded = true")
    #expect(
      try connection.value("SELECT body FROM consumptiond.request WHERE id = $1", [.int(id)])
        == #"{"customerConsented": true}"#)
  }

  @Test("The status is the accepted attempt's, else the last one's") func status() throws {
    var connection = try schema.connect()
    let id = try connection.insertRequest()
    func status() throws -> String? {
      try connection.value("SELECT http_status FROM consumptiond.request")
    }
    func attempt(_ number: Int, _ result: String, _ status: Int) throws {
      _ = try connection.query(
        """
        INSERT INTO consumptiond.attempt (request_id, number, endpoint, ended_at, result, http_status)
        VALUES ($1, $2, 'x', now(), $3, $4)
        """, [.int(id), .int(number), .text(result), .int(status)])
    }
    #expect(try status() == nil)
    try attempt(1, "retry", 500)
    #expect(try status() == "500")
    try attempt(2, "accepted", 202)
    try attempt(3, "refused", 400)
    #expect(try status() == "202")
  }
}
