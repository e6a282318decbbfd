import Store

/// One thing that `check` tried, and what came of it.
struct Finding: Equatable {
  enum Level: String, CaseIterable {
    case fine
    /// It works, and somebody should think about it.
    case doubtful
    /// The daemon would not start, or would not do what it is for.
    case wrong

    var tone: Style.Tone {
      switch self {
      case .fine: .good
      case .doubtful: .attention
      case .wrong: .bad
      }
    }
  }

  let level: Level
  /// A key's path, or a part of the surroundings.
  let subject: String
  let message: String
  /// What to do about it.
  var cure: String?
  /// Where PostgreSQL stumbled.
  var place: QueryFault.Place?

  static func fine(_ subject: String, _ message: String) -> Finding {
    Finding(level: .fine, subject: subject, message: message)
  }

  static func doubtful(_ subject: String, _ message: String, _ cure: String?) -> Finding {
    Finding(level: .doubtful, subject: subject, message: message, cure: cure)
  }

  static func wrong(
    _ subject: String, _ message: String, _ cure: String? = nil, place: QueryFault.Place? = nil
  ) -> Finding {
    Finding(level: .wrong, subject: subject, message: message, cure: cure, place: place)
  }
}
