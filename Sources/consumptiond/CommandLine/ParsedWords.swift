/// The options and the operand of a command, before it is known what they mean together.
struct ParsedWords {
  let values: [String: String]
  let operand: String?

  var config: String? { values["config"] }
  func has(_ flag: String) -> Bool { values[flag] != nil }
}
