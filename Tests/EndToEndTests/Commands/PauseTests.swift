import PostgreSQL
import Simulation
import TestSupport
import Testing

@Suite("pause, resume, status for probes") struct PauseTests {
  @Test("Nothing goes out while a pause lasts; the log and status say so; then everything does")
  func pause() async throws {
    try await Bench.run { bench in
      #expect(try bench.command("pause", "--note", "incident").status == 0)
      #expect(try bench.command("pause").output.contains("already"))
      try bench.daemon()
      let asked = try bench.askHeavy()
      try await bench.wait(asked, for: "queued")
      try await until("the log's warning", within: .seconds(20)) {
        bench.logs.contains(#""event":"paused""#)
      }
      let status = try bench.command("status", "--exit-code")
      #expect(status.status == 75)
      #expect(status.output.contains("Paused: all apps"))
      #expect(try bench.command("status", "--json").output.contains(#""problem":"paused""#))
      #expect(bench.bodies(asked).isEmpty)
      #expect(try bench.command("resume").status == 0)
      try await bench.wait(asked, for: "answered")
      try await until("the log's end", within: .seconds(20)) {
        bench.logs.contains(#""event":"resumed""#)
      }
      #expect(try bench.command("status", "--exit-code").status == 0)
      #expect(try bench.command("resume").output.contains("no pause"))
    }
  }

  @Test("An app that is not configured is no pause; one that is, pauses alone")
  func app() async throws {
    try await Bench.run { bench in
      let slip = try bench.command("pause", "--app", "com.exmaple.app")
      #expect(slip.status == 65)
      #expect(slip.complaint.contains("did you mean com.example.app?"))
      #expect(try bench.command("pause", "--app", "com.example.app").status == 0)
      let left = try bench.command("resume")
      #expect(left.output.contains("Still paused for com.example.app"))
      let asked = try bench.askHeavy()
      try await bench.drain()
      #expect(try bench.row(asked.id)?.state == "queued")
      #expect(try bench.command("resume", "--app", "com.example.app").status == 0)
      try await bench.drain()
      #expect(try bench.row(asked.id)?.state == "answered")
    }
  }

  @Test("A copied database is refused with both names, until it is adopted")
  func instance() async throws {
    let production: (inout JSONObject) -> Void = { $0["instance"] = "production" }
    try await Bench.run(configure: production) { bench in
      let asked = try bench.ask(token: nil)
      try await bench.drain()
      let copy = try bench.configuration("copy") { $0["instance"] = "staging" }
      let refused = try bench.command("run", "--drain", config: copy)
      #expect(refused.status == 78)
      #expect(refused.complaint.contains("\"production\""))
      #expect(refused.complaint.contains("\"staging\""))
      #expect(refused.complaint.contains("consumptiond adopt"))
      let unread = try bench.askHeavy()
      let adopted = try bench.command("adopt", "--cancel-open", config: copy)
      #expect(adopted.status == 0, "\(adopted.complaint)")
      #expect(adopted.output.contains("Open requests cancelled: 1; payloads left unread: 1"))
      #expect(try bench.row(asked.id)?.state == "cancelled")
      #expect(try bench.command("run", "--drain", config: copy).status == 0)
      #expect(bench.bodies(unread).isEmpty)
      #expect(try bench.command("run", "--drain").status == 78)
      let nameless = try bench.configuration("nameless") { $0["instance"] = nil }
      #expect(try bench.command("adopt", config: nameless).status == 78)
      #expect(try bench.command("run", "--drain", config: nameless).status == 0)
    }
  }
}
