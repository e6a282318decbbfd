/// Why the program cannot start: exit status 78.
///
/// Its description is one line: `FILE: PATH: found …, expected …`. It holds what the file itself
/// says, never what an environment variable, a secret's file or a key holds.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  let file: String
  /// `apps[0].keys[0].file`; empty when it is about the file as a whole.
  let path: String
  let problem: String

  var description: String {
    let line = path.isEmpty ? "\(file): \(problem)" : "\(file): \(path): \(problem)"
    return String(line.map { $0.isNewline ? " " : $0 })
  }
}
