import Dispatch
import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `status --watch`: on a terminal the page is drawn anew in its place, elsewhere each follows the
/// one before. Ctrl-C ends it in order.
struct StatusWatch {
  let pause: Int
  let json: Bool

  /// The terminal's other screen, without a cursor, so that what was on it comes back.
  private static let begin = "\u{1B}[?1049h\u{1B}[?25l"
  private static let end = "\u{1B}[?25h\u{1B}[?1049l"
  private static let home = "\u{1B}[H"
  private static let restOfLine = "\u{1B}[K"
  private static let restOfScreen = "\u{1B}[J"

  /// - Throws: when the first look fails. Later a database that is away is waited for.
  func run(
    _ output: inout Output, read: () throws(CommandFailure) -> StatusReport
  ) throws(CommandFailure) {
    var page = StatusCommand.lines(try read(), json: json, output)
    let redraws = output.rows != nil && !json
    let signals = Signals()
    // Nothing is in flight that an end could harm, and a query may take its time.
    signals.onTermination {
      if redraws { _ = Output.write(Self.end, to: STDOUT_FILENO) }
      exit(ExitCode.ok.rawValue)
    }
    if redraws { try output.write(Self.begin) }
    defer { if redraws { _ = Output.write(Self.end, to: STDOUT_FILENO) } }
    while !output.isClosed {
      try redraws ? draw(page, &output) : output.lines(page + (json ? [] : [""]))
      sleep(UInt32(pause))
      output.measure()
      do throws(CommandFailure) {
        page = StatusCommand.lines(try read(), json: json, output)
      } catch let failure where failure.code == .unavailable {
        page = [failure.message]
        if json {
          Output.complain("consumptiond: \(failure.message)")
          page = []
        }
      }
    }
  }

  /// What does not fit is left out at the end: the worst comes first.
  private func draw(_ page: [String], _ output: inout Output) throws(CommandFailure) {
    let footer = output.style("every \(pause) s; Ctrl-C ends it", .dim)
    let room = max((output.rows ?? 24) - 1, 1)
    let lines = page.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let shown = lines.prefix(room).map { $0 + Self.restOfLine }
    try output.write(
      Self.home + shown.joined(separator: "\n") + "\n" + footer + Self.restOfScreen)
  }
}
