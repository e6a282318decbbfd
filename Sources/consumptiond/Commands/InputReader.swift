#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads what a command is given to work on.
enum InputReader {
  /// - Throws: `data`, with the name of the input, when it cannot be read or is no text.
  static func text(_ source: InputSource) throws(CommandFailure) -> String {
    let bytes: [UInt8]
    switch source {
    case .standardInput:
      if isatty(STDIN_FILENO) == 1 {
        Output.complain("consumptiond: reading standard input; Ctrl-D ends it")
      }
      bytes = try Self.bytes(of: STDIN_FILENO, source)
    case .file(let name): bytes = try contents(of: name)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure(source, "not UTF-8 text")
    }
    return text
  }

  /// The payloads in a text: one whole (a signed payload, or Apple's body over several lines), or one
  /// a line.
  static func payloads(in text: String) -> [Substring] {
    let lines = text.split { $0.isNewline }.map { $0.trimming(while: \.isWhitespace) }
      .filter { !$0.isEmpty }
    if let first = lines.first, first.hasPrefix("{"), !first.hasSuffix("}") {
      return [text.trimming(while: \.isWhitespace)]
    }
    return lines
  }

  static func failure(_ source: InputSource, _ problem: String) -> CommandFailure {
    let name =
      switch source {
      case .standardInput: "standard input"
      case .file(let name): Printable.text(name)
      }
    return CommandFailure(code: .data, message: "\(name): \(problem)")
  }

  /// The bytes of a file that the command line names; a pipe (`<(…)`) is one too.
  static func contents(of name: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.file(name), code: errno) }
    defer { close(descriptor) }
    return try bytes(of: descriptor, .file(name))
  }

  private static func bytes(
    of descriptor: Int32, _ source: InputSource
  ) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw failure(source, code: errno)
      }
    }
  }

  private static func failure(_ source: InputSource, code: Int32) -> CommandFailure {
    let problem = failure(source, String(cString: strerror(code)))
    return code == EACCES
      ? CommandFailure(code: .permission, message: problem.message) : problem
  }
}

extension StringProtocol {
  fileprivate func trimming(while isUnwanted: (Character) -> Bool) -> Substring {
    var rest = Substring(self).drop(while: isUnwanted)
    while let last = rest.last, isUnwanted(last) { rest.removeLast() }
    return rest
  }
}
