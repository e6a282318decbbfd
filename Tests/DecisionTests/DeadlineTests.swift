import AppStore
import Decision
import Testing

@Suite("Deadlines") struct DeadlineTests {
  private let signedAt = Samples.signedAt

  @Test("twelve hours, in the sandbox five minutes") func windows() {
    #expect(Deadline.deadline(signedAt: signedAt, .production) == signedAt + .seconds(43_200))
    #expect(Deadline.deadline(signedAt: signedAt, .sandbox) == signedAt + .seconds(300))
    #expect(Deadline.lateLimit(.production) == .seconds(86_400))
    #expect(Deadline.lateLimit(.sandbox) == .seconds(600))
  }

  @Test("settings shrink with the sandbox's window") func scaled() {
    let policy = DeadlinePolicy()
    #expect(policy.decideAt(signedAt: signedAt, .production) == signedAt + .seconds(43_200 - 1800))
    #expect(policy.decideAt(signedAt: signedAt, .sandbox) == signedAt + .milliseconds(287_500))
    #expect(
      policy.alertsAt(signedAt: signedAt, .production)
        == [6 * 3600, 10 * 3600, 43_200 - 2700].map { signedAt + .seconds($0) })
    #expect(
      policy.alertsAt(signedAt: signedAt, .sandbox)
        == [150_000, 250_000, 281_250].map { signedAt + .milliseconds($0) })
  }
}
