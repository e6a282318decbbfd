import AppStore

/// How the App Store misbehaves towards one request.
public struct Fault: Sendable {
  public enum Way: Sendable {
    /// This answer, without a look at the request.
    case answer(ServerAnswer)
    /// 429 with a `Retry-After` that far from now, in Apple's absolute milliseconds.
    case rateLimited(Duration)
    /// Reads the request, and closes the connection without a word.
    case hangUp
    /// The same by a TCP reset.
    case reset
    /// Judges the request and means it; the answer is lost with the connection.
    case loseAnswer
    /// Answers as usual, and closes the connection without having said so.
    case closeAfterAnswer
    /// Answers with half of the head and closes.
    case breakOff
    /// Neither answers nor closes; ends when the client hangs up.
    case silence
    /// Answers as usual; for a `delay` alone.
    case none
  }

  public var way: Way
  /// Between reading the request and all that follows. Ends early when the client hangs up.
  public var delay: Duration

  public init(_ way: Way, delay: Duration = .zero) {
    self.way = way
    self.delay = delay
  }

  public static let hangUp = Fault(.hangUp)
  public static let reset = Fault(.reset)
  public static let loseAnswer = Fault(.loseAnswer)
  public static let closeAfterAnswer = Fault(.closeAfterAnswer)
  public static let breakOff = Fault(.breakOff)
  public static let silence = Fault(.silence)

  public static func rateLimited(_ duration: Duration) -> Fault { Fault(.rateLimited(duration)) }

  /// Answers as usual, but later.
  public static func slow(_ delay: Duration) -> Fault { Fault(.none, delay: delay) }

  public static func status(
    _ status: Int, headers: [(name: String, value: String)] = [], body: String = ""
  ) -> Fault {
    Fault(.answer(ServerAnswer(status, headers: headers, body: body)))
  }

  /// One of Apple's JSON errors; the status is the code's first three digits.
  public static func code(_ code: Int64) -> Fault {
    let verdict = Verdict(Int(code / 10_000), code: code, "An error of the script.")
    return Fault(.answer(verdict.answer(now: .now(), requestId: "")))
  }
}

/// Faults in the order in which they were asked for.
struct FaultScript {
  private struct Entry {
    let fault: Fault
    let transaction: String?
    var left: Int
  }

  private var entries: [Entry] = []

  mutating func add(_ fault: Fault, transaction: String?, times: Int) {
    if times > 0 { entries.append(Entry(fault: fault, transaction: transaction, left: times)) }
  }

  mutating func removeAll() { entries = [] }

  /// The first that fits; it is used up by one.
  mutating func next(for transaction: String?) -> Fault? {
    let fits = { (entry: Entry) in entry.transaction == nil || entry.transaction == transaction }
    guard let place = entries.firstIndex(where: fits) else { return nil }
    let fault = entries[place].fault
    if entries[place].left != .max { entries[place].left -= 1 }
    if entries[place].left == 0 { entries.remove(at: place) }
    return fault
  }
}
