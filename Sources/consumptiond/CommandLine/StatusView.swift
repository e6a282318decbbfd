/// How `status` is looked at.
struct StatusView: Equatable {
  var json = false
  /// Again and again, after so many seconds; nil: once.
  var watch: Int?
  /// For a probe: what is wrong becomes the exit status.
  var exitCode = false

  private static let defaultPause = 2
  private static let longestPause = 86_400

  init(json: Bool = false, watch: Int? = nil, exitCode: Bool = false) {
    self.json = json
    self.watch = watch
    self.exitCode = exitCode
  }

  init(_ words: ParsedWords) throws(CommandFailure) {
    json = words.has("json")
    exitCode = words.has("exit-code")
    guard let text = words.values["watch"] else { return }
    let seconds = text.isEmpty ? Self.defaultPause : Int(text)
    guard let seconds, (1...Self.longestPause).contains(seconds) else {
      throw ArgumentParser.usage(
        .status, "--watch takes a number of seconds from 1 to \(Self.longestPause)", help: .status)
    }
    guard !exitCode else {
      throw ArgumentParser.usage(.status, "either --watch or --exit-code", help: .status)
    }
    watch = seconds
  }
}
