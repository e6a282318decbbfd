import FoundationEssentials
import Testing

@testable import consumptiond

/// JSON that the program printed.
struct ReadJSON {
  let value: JSONValue

  init(_ text: String) throws { value = try #require(JSONValue(text: text), "\(text)") }

  private init(value: JSONValue) { self.value = value }

  subscript(key: String) -> ReadJSON? { value[key].map { ReadJSON(value: $0) } }

  var array: [ReadJSON]? { value.list?.map { ReadJSON(value: $0) } }

  var string: String? { if case .string(let text) = value { text } else { nil } }

  var bool: Bool? { if case .bool(let value) = value { value } else { nil } }

  var int64: Int64? {
    if case .number(let number) = value { Int64(number.description) } else { nil }
  }

  var int: Int? { int64.map { Int($0) } }
}
