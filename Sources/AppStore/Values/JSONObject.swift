internal import FoundationEssentials

/// A JSON object from outside, whose members Foundation reads one at a time as the type that is
/// asked for. A member of another type, or out of its range, is absent and costs nobody the rest of
/// the object: a property of a `Decodable` type would make the whole document invalid.
///
/// What Foundation does, knowingly taken:
///
/// - Of a key that stands twice the first counts.
/// - Nesting deeper than 512 is refused. A container that outlives its decoder keeps a copy of the
///   document.
/// - A member that nobody reads is scanned loosely: a wrong escape or a comma at the end pass. Where
///   that text is stored as evidence, PostgreSQL refuses what is no JSON.
/// - 1.0 and 1e0 are whole numbers; 1e-999 is zero.
struct JSONObject {
  private let members: KeyedDecodingContainer<Name>

  /// - Returns: nil when `text` is no JSON object.
  init?(_ text: String) {
    // Foundation skips a byte order mark, and takes text with zeros for UTF-16: neither is JSON to
    // PostgreSQL, which stores it.
    let bytes = Array(text.utf8)
    guard bytes.first != 0xEF, !bytes.contains(0) else { return nil }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
      return nil
    }
    members = document.members
  }

  private init(members: KeyedDecodingContainer<Name>) {
    self.members = members
  }

  /// Those of all members, null or not.
  var names: [String] { members.allKeys.map(\.stringValue) }

  /// Absent and null are the same: no value.
  func isPresent(_ name: String) -> Bool {
    let name = Name(stringValue: name)
    return members.contains(name) && (try? members.decodeNil(forKey: name)) == false
  }

  /// No text with U+0000, which PostgreSQL's text cannot hold.
  func string(_ name: String) -> String? {
    guard let text = value(String.self, name), !text.utf8.contains(0) else { return nil }
    return text
  }

  func strings(_ name: String) -> [String]? { value([String].self, name) }

  func bool(_ name: String) -> Bool? { value(Bool.self, name) }

  /// Apple's `int32`, which is PostgreSQL's `integer` too.
  func int(_ name: String) -> Int? { value(Int32.self, name).map(Int.init) }

  func int64(_ name: String) -> Int64? { value(Int64.self, name) }

  /// Apple's dates: milliseconds since 1970, which have come with a fraction. Nil outside of the
  /// years 1970 to 9999.
  func instant(_ name: String) -> Instant? {
    // Until the year 2109 a double tells such a number to half a microsecond, the whole part always.
    guard let milliseconds = value(Double.self, name) else { return nil }
    guard (0...253_402_300_799_999).contains(milliseconds) else { return nil }
    let whole = milliseconds.rounded(.down)
    let fraction = ((milliseconds - whole) * 1000).rounded()
    return Instant(microseconds: Int64(whole) * 1000 + Int64(fraction))
  }

  /// Whether it is a number at all, also one that no type can hold.
  func isNumber(_ name: String) -> Bool {
    guard isPresent(name) else { return false }
    do {
      _ = try members.decode(Double.self, forKey: Name(stringValue: name))
      return true
    } catch DecodingError.typeMismatch {
      return false
    } catch {
      return true
    }
  }

  func object(_ name: String) -> JSONObject? {
    let name = Name(stringValue: name)
    guard members.contains(name) else { return nil }
    return (try? members.nestedContainer(keyedBy: Name.self, forKey: name))
      .map(JSONObject.init(members:))
  }

  private func value<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
    try? members.decodeIfPresent(type, forKey: Name(stringValue: name))
  }

  private struct Document: Decodable {
    let members: KeyedDecodingContainer<Name>

    init(from decoder: any Decoder) throws {
      members = try decoder.container(keyedBy: Name.self)
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      return nil
    }
  }
}
