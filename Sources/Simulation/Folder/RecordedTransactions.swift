import Glibc

/// Reads the transactions that `sign` records, each once.
public final class RecordedTransactions: Sendable {
  private let file: String
  /// How much of the file has been read.
  private let position = Locked(0)

  init(file: String) { self.file = file }

  /// Those that were recorded since the last call; half a line waits for its end.
  public func news() -> [IssuedTransaction] {
    position.withLock { position in
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while case let count = pread(descriptor, &buffer, buffer.count, position + bytes.count),
        count > 0
      {
        bytes += buffer[..<count]
      }
      guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
      position += end + 1
      return bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap { line in
        (try? JSONReader.read(Array(line)))?.object.flatMap { IssuedTransaction(payload: $0) }
      }
    }
  }
}
