public import PostgreSQL

/// Why one of the user's queries gave no answer.
public struct Trouble: Sendable, Equatable {
  public enum Cause: Sendable, Equatable {
    case failed
    /// Others used up the time of the batch before its turn came: it is asked again at once.
    case notAsked
    /// It used up the time of the batch: it is asked alone from now on.
    case tookAllTime
  }

  /// For people: the key's path and what PostgreSQL said.
  public let message: String
  public let cause: Cause

  public init(_ message: String, cause: Cause = .failed) {
    self.message = message
    self.cause = cause
  }

  public init(_ path: String, _ error: PostgresError) {
    message = "\(path): \(error.summary)"
    cause =
      if error.kind == .notRun {
        .notAsked
      } else {
        error.ranOutOfTime ? .tookAllTime : .failed
      }
  }
}
