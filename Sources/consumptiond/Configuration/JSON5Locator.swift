/// Finds where JSON5 is broken, and keys that stand twice: Foundation's decoder says neither the line
/// of a mistake nor that it kept the first of two values.
struct JSON5Locator {
  /// What is wrong, and where: a path for a key, line and column (both from 1) for the rest.
  struct Finding: Error, Equatable {
    let path: String
    let problem: String
  }

  /// Deeper nesting than any configuration needs; it would only overrun the decoder's stack.
  private static let maximumDepth = 64

  private let text: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  /// Throws what is wrong with a document.
  static func check(_ text: String) throws(Finding) {
    var locator = JSON5Locator(text: Array(text.unicodeScalars))
    try locator.skipBlank()
    try locator.value("")
    try locator.skipBlank()
    if locator.next != nil { throw locator.unexpected("the end of the file") }
  }

  private init(text: [Unicode.Scalar]) {
    self.text = text
  }

  private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private func place(of position: Int) -> String {
    let before = text[..<position]
    let line = before.count { $0 == "\n" } + 1
    let column = position - (before.lastIndex(of: "\n") ?? -1)
    return "line \(line), column \(column)"
  }

  private func unexpected(_ expected: String) -> Finding {
    let found =
      switch next {
      case "\n", "\r": "the end of the line"
      case let scalar?: "'\(scalar)'"
      case nil: "the end of the file"
      }
    return Finding(path: place(of: position), problem: "found \(found), expected \(expected)")
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func skipBlank() throws(Finding) {
    while let scalar = next {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        position += 1
      } else if scalar == "/", text[position...].starts(with: ["/", "/"]) {
        while let scalar = next, scalar != "\n", scalar != "\r" { position += 1 }
      } else if scalar == "/", text[position...].starts(with: ["/", "*"]) {
        position += 2
        while next != nil, !text[position...].starts(with: ["*", "/"]) { position += 1 }
        guard next != nil else { throw unexpected("the end of a comment") }
        position += 2
      } else {
        return
      }
    }
  }

  private mutating func value(_ path: String) throws(Finding) {
    switch next {
    case "{", "[":
      guard depth < Self.maximumDepth else { throw unexpected("less nesting") }
      depth += 1
      if skip("{") { try object(path) } else { try list(path) }
      depth -= 1
    case "\"", "'": _ = try string()
    default: try word()
    }
  }

  private mutating func object(_ path: String) throws(Finding) {
    var keys: Set<String> = []
    try skipBlank()
    while !skip("}") {
      let start = position
      let key = try key()
      let member = path.isEmpty ? key : "\(path).\(key)"
      guard keys.insert(key).inserted else {
        throw Finding(
          path: member, problem: "found a second time at \(place(of: start)), expected once")
      }
      try skipBlank()
      guard skip(":") else { throw unexpected("':'") }
      try skipBlank()
      try value(member)
      try separator(before: "}")
    }
  }

  private mutating func list(_ path: String) throws(Finding) {
    _ = skip("[")
    var index = 0
    try skipBlank()
    while !skip("]") {
      try value("\(path)[\(index)]")
      index += 1
      try separator(before: "]")
    }
  }

  private mutating func separator(before end: Unicode.Scalar) throws(Finding) {
    try skipBlank()
    if skip(",") { return try skipBlank() }
    guard next == end else { throw unexpected("',' or '\(end)'") }
  }

  private mutating func key() throws(Finding) -> String {
    // An escape could make two spellings of one key.
    if next == "\"" || next == "'" {
      let key = try string()
      if let escape = key.firstIndex(of: "\\") {
        position -= key.unicodeScalars[escape...].count + 1
        throw unexpected("a key without escapes")
      }
      return key
    }
    let key = plainWord { $0.properties.isIDContinue || $0 == "$" }
    guard let first = key.unicodeScalars.first, !("0"..."9").contains(first) else {
      throw unexpected("a key or '}'")
    }
    return key
  }

  /// The text between the quotes as it stands.
  private mutating func string() throws(Finding) -> String {
    let quote = text[position]
    position += 1
    let start = position
    while let scalar = next, scalar != quote {
      guard scalar != "\n", scalar != "\r" else { break }
      position += scalar == "\\" ? (text[position...].starts(with: ["\\", "\r", "\n"]) ? 3 : 2) : 1
    }
    position = min(position, text.count)
    guard skip(quote) else { throw unexpected("the end of a string") }
    return String(String.UnicodeScalarView(text[start..<position - 1]))
  }

  private mutating func plainWord(_ belongs: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = next, belongs(scalar) { position += 1 }
    return String(String.UnicodeScalarView(text[start..<position]))
  }

  /// A number, or one of the few words that are values.
  private mutating func word() throws(Finding) {
    let start = position
    let word = plainWord { $0.properties.isIDContinue || "+-.".unicodeScalars.contains($0) }
    if ["true", "false", "null"].contains(word) { return }
    guard JSON5Number.isNumber(word) else {
      position = start
      throw unexpected("a value")
    }
    // Foundation's Decimal holds 38 digits and rounds the rest away without a word.
    let digits = word.prefix { $0 != "e" && $0 != "E" }.drop { !("1"..."9").contains($0) }
    guard digits.count(where: \.isNumber) <= 38 else {
      position = start
      throw unexpected("a number of at most 38 digits")
    }
  }
}
