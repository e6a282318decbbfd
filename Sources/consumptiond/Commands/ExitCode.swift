/// How a command ends: `sysexits.h`.
enum ExitCode: Int32 {
  case ok = 0
  /// A word of the command line is wrong.
  case usage = 64
  /// The input does not hold, or names nothing.
  case data = 65
  /// The database cannot be reached.
  case unavailable = 69
  /// Our own fault.
  case `internal` = 70
  /// It would work later: a full disk, a second signal while work was in flight.
  case tryLater = 75
  case permission = 77
  /// The configuration, or the schema in the database, must change.
  case configuration = 78
}

/// A command that cannot go on: one line for people, and how it ends.
struct CommandFailure: Error, Equatable {
  let code: ExitCode
  let message: String
}

extension ConfigurationError {
  var failure: CommandFailure { CommandFailure(code: .configuration, message: description) }
}
