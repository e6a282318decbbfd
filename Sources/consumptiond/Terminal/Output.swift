#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output or standard error, written in whole lines.
///
/// When the reader is gone (`| head`), what is left is dropped and the command goes on: an `enqueue`
/// half done because nobody read its ids would be worse than ids that nobody reads.
struct Output {
  private let descriptor: Int32
  /// Nobody reads any more.
  private(set) var isClosed = false
  let style: Style
  /// Columns of the terminal; nil: not a terminal, so nothing is cut or wrapped.
  private(set) var width: Int?
  /// Lines of the terminal; nil: not a terminal.
  private(set) var rows: Int?

  static func standardOutput(_ environment: [String: String]) -> Output {
    Output(STDOUT_FILENO, environment)
  }

  private init(_ descriptor: Int32, _ environment: [String: String]) {
    self.descriptor = descriptor
    let isTerminal = isatty(descriptor) == 1
    style = Style(isTerminal: isTerminal, environment: environment)
    if isTerminal { measure() }
  }

  /// A terminal's size, which changes with its window; 80 × 24 where it does not tell.
  mutating func measure() {
    guard isatty(descriptor) == 1 else { return }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    width = isKnown && size.ws_col > 0 ? max(40, Int(size.ws_col)) : 80
    rows = isKnown && size.ws_row > 0 ? max(4, Int(size.ws_row)) : 24
  }

  /// - Throws: `tryLater` when the line cannot be written although somebody reads: a full disk.
  mutating func line(_ text: String) throws(CommandFailure) {
    try write(text + "\n")
  }

  mutating func lines(_ lines: [String]) throws(CommandFailure) {
    guard !lines.isEmpty else { return }
    try write(lines.joined(separator: "\n") + "\n")
  }

  mutating func write(_ text: String) throws(CommandFailure) {
    guard !isClosed else { return }
    switch Self.write(text, to: descriptor) {
    case 0: return
    case EPIPE: isClosed = true
    case let code:
      throw CommandFailure(
        code: .tryLater, message: "standard output: \(String(cString: strerror(code)))")
    }
  }

  /// A line on standard error, in one write so that lines of several threads do not mix.
  static func complain(_ text: String) {
    _ = write(text + "\n", to: STDERR_FILENO)
  }

  /// - Returns: 0 or an errno.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        #if canImport(Glibc)
          Glibc.write(descriptor, $0.baseAddress, $0.count)
        #else
          Darwin.write(descriptor, $0.baseAddress, $0.count)
        #endif
      }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
