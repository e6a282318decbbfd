/// Just enough of DER to write certificates, right ones and wrong ones.
enum DER {
  static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

  static func set(_ part: [UInt8]) -> [UInt8] { value(0x31, part) }

  static func explicit(_ number: UInt8, _ part: [UInt8]) -> [UInt8] { value(0xA0 | number, part) }

  static func octets(_ content: [UInt8]) -> [UInt8] { value(0x04, content) }

  static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] {
    value(0x03, [unused] + content)
  }

  static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  static let null: [UInt8] = [0x05, 0x00]
  static let yes: [UInt8] = [0x01, 0x01, 0xFF]

  /// A number that is not negative.
  static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    var bytes = Array(magnitude.drop { $0 == 0 })
    if (bytes.first ?? 0x80) >= 0x80 { bytes.insert(0, at: 0) }
    return value(0x02, bytes)
  }

  static func identifier(_ text: String) -> [UInt8] {
    let numbers = text.split(separator: ".").compactMap { UInt64($0) }
    var content = [UInt8(numbers[0] * 40 + numbers[1])]
    for number in numbers.dropFirst(2) {
      var groups = [UInt8(number & 0x7F)]
      var rest = number >> 7
      while rest > 0 {
        groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      content += groups
    }
    return value(0x06, content)
  }

  /// `YYYYMMDDHHMMSSZ`.
  static func time(_ text: String) -> [UInt8] { value(0x18, Array(text.utf8)) }
}
