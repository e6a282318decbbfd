public import AppStore

/// How one attempt ended.
public enum SendOutcome: Sendable, Equatable {
  /// Apple said something.
  case answered(Judgement)
  /// The network failed before anything went out.
  case notSent
  /// The network failed when the request may have gone out: Apple may have taken it.
  case maybeSent
}
