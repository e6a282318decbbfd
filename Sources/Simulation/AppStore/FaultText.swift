/// A fault as a person writes it: `503*3`, `429:60*2`, `4040010`, `hangup`, `slow:2.5*10`.
public struct FaultText: Sendable {
  public let fault: Fault
  /// How many requests it hits; `Int.max` when no number was given.
  public let times: Int

  public static let grammar = """
    WHAT[:SECONDS][*TIMES]; WHAT: a status (503), an error code of
    Apple's (4040010), 429 (Retry-After SECONDS ahead, or 60), hangup,
    reset, lose, close, break, silence, slow
    """

  public init(_ text: String) throws(SimulationError) {
    let problem = SimulationError("\"\(text)\" is no fault; expected \(Self.grammar)")
    let halves = text.split(separator: "*", omittingEmptySubsequences: false)
    guard halves.count <= 2 else { throw problem }
    if halves.count == 2 {
      guard let number = Int(halves[1]), number > 0 else { throw problem }
      times = number
    } else {
      times = .max
    }
    let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let what = parts.first else { throw problem }
    var seconds: Duration?
    if parts.count == 2 {
      guard let number = Double(parts[1]), (0...86_400).contains(number) else { throw problem }
      seconds = .seconds(number)
    }
    guard var fault = Self.fault(what, seconds) else { throw problem }
    if case .rateLimited = fault.way {} else { fault.delay = seconds ?? .zero }
    self.fault = fault
  }

  private static func fault(_ what: Substring, _ seconds: Duration?) -> Fault? {
    switch what {
    case "429": .rateLimited(seconds ?? .seconds(60))
    case "hangup": .hangUp
    case "reset": .reset
    case "lose": .loseAnswer
    case "close": .closeAfterAnswer
    case "break": .breakOff
    case "silence": .silence
    case "slow": .slow(seconds ?? .seconds(1))
    default:
      switch Int64(what) {
      case let status? where (200...599).contains(status): .status(Int(status))
      case let code? where (4_000_000...5_999_999).contains(code): .code(code)
      default: nil
      }
    }
  }
}
