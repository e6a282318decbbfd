import FoundationEssentials
import PostgreSQL
import Store

/// `consumptiond adopt [--cancel-open]`
struct AdoptCommand {
  let config: String?
  let cancelOpen: Bool

  func run(_ output: inout Output) throws(CommandFailure) {
    let name: String
    do throws(ConfigurationError) {
      name = try ConfigurationFile.loadInstance(
        config, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw error.failure
    }
    let adoption = try Connecting.queue(config: config, as: .adopt) {
      connection throws(PostgresError) in
      try Instance.adopt(name, cancelOpen: cancelOpen, on: &connection)
    }
    for sentence in Self.sentences(adoption, name, cancelOpen: cancelOpen) {
      try output.lines(TextWidth.wrapped(Printable.text(sentence), to: output.width))
    }
  }

  static func sentences(
    _ adoption: Instance.Adoption, _ name: String, cancelOpen: Bool
  ) -> [String] {
    let before =
      switch adoption.from {
      case nil: ", and to none before"
      case name?: ", as it did before"
      case let other?: ", and no longer to \"\(other)\""
      }
    var sentences = ["The database belongs to the instance \"\(name)\" now\(before)."]
    if cancelOpen {
      sentences.append(
        "Open requests cancelled: \(adoption.cancelled); payloads left unread: \(adoption.unread).")
    } else if adoption.open > 0 {
      sentences.append(
        "Open requests: \(adoption.open), and this instance answers them. Where the original "
          + "does so: consumptiond adopt --cancel-open, before the daemon runs.")
    }
    return sentences
  }
}
