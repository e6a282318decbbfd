/// PostgreSQL's text form of a one-dimensional array: `{"a","b\"c",NULL}`.
enum ArrayLiteral {
  /// Every element is quoted, so that none is mistaken for syntax or for NULL.
  static func write(_ values: [String?]) -> String {
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      guard let value else {
        text.append(contentsOf: "NULL".utf8)
        continue
      }
      text.append(UInt8(ascii: "\""))
      for byte in value.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          text.append(UInt8(ascii: "\\"))
        }
        text.append(byte)
      }
      text.append(UInt8(ascii: "\""))
    }
    text.append(UInt8(ascii: "}"))
    return String(decoding: text, as: UTF8.self)
  }

  /// The elements of what the server printed; nil when it is not a one-dimensional array.
  static func read(_ text: String) -> [String?]? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else {
      return nil
    }
    if bytes.count == 2 { return [] }
    var values: [String?] = []
    var index = 1
    while true {
      guard let (value, next) = element(of: bytes, at: index) else { return nil }
      values.append(value)
      if next == bytes.count - 1 { return values }
      guard bytes[next] == UInt8(ascii: ",") else { return nil }
      index = next + 1
    }
  }

  /// One element and the index behind it.
  private static func element(of bytes: [UInt8], at start: Int) -> (String?, Int)? {
    let end = bytes.count - 1
    var index = start
    var value: [UInt8] = []
    if index < end, bytes[index] == UInt8(ascii: "\"") {
      index += 1
      while index < end, bytes[index] != UInt8(ascii: "\"") {
        if bytes[index] == UInt8(ascii: "\\") { index += 1 }
        guard index < end else { return nil }
        value.append(bytes[index])
        index += 1
      }
      guard index < end else { return nil }
      return (String(decoding: value, as: UTF8.self), index + 1)
    }
    while index < end, bytes[index] != UInt8(ascii: ",") {
      guard bytes[index] != UInt8(ascii: "{"), bytes[index] != UInt8(ascii: "\"") else {
        return nil
      }
      if bytes[index] == UInt8(ascii: "\\") { index += 1 }
      guard index < end else { return nil }
      value.append(bytes[index])
      index += 1
    }
    guard !value.isEmpty else { return nil }
    let text = String(decoding: value, as: UTF8.self)
    return text == "NULL" ? (nil, index) : (text, index)
  }
}
