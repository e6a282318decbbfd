/// A value for a parameter of a statement, in PostgreSQL's text format.
public struct Parameter: Sendable, Equatable {
  /// What PostgreSQL reads; nil is NULL.
  public let text: String?
  /// The type's Oid; 0 lets PostgreSQL infer it from the statement.
  public let type: UInt32

  public init(text: String?, type: UInt32 = 0) {
    self.text = text
    self.type = type
  }

  /// A value whose type PostgreSQL infers. What an `= $1` compares with decides; declaring a type
  /// would break `bigint = $1`.
  public static func inferred(_ value: String?) -> Parameter {
    Parameter(text: value)
  }

  public static func text(_ value: String?) -> Parameter {
    Parameter(text: value, type: TypeID.text)
  }

  /// A `bigint`.
  public static func int(_ value: Int?) -> Parameter {
    Parameter(text: value.map { String($0) }, type: TypeID.int8)
  }

  /// A `bigint`.
  public static func int(_ value: Int64?) -> Parameter {
    Parameter(text: value.map { String($0) }, type: TypeID.int8)
  }

  public static func bool(_ value: Bool?) -> Parameter {
    Parameter(text: value.map { $0 ? "t" : "f" }, type: TypeID.bool)
  }

  /// A `bytea`.
  public static func bytes(_ value: [UInt8]?) -> Parameter {
    Parameter(text: value.map(Self.hexadecimal), type: TypeID.bytea)
  }

  /// Text that PostgreSQL reads as a value of the given type (`TypeID`).
  public static func typed(_ value: String?, _ type: UInt32) -> Parameter {
    Parameter(text: value, type: type)
  }

  /// A `text[]`; a nil element is NULL.
  public static func array(_ values: [String?]) -> Parameter {
    Parameter(text: ArrayLiteral.write(values), type: TypeID.textArray)
  }

  /// A `bigint[]`.
  public static func array(_ values: [Int64]) -> Parameter {
    array(values.map { String($0) }, of: TypeID.int8Array)
  }

  /// An array of any type from its elements' texts; a nil element is NULL.
  ///
  /// - Parameter type: The Oid of the array's type, or 0.
  public static func array(_ values: [String?], of type: UInt32) -> Parameter {
    Parameter(text: ArrayLiteral.write(values), type: type)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("\\x".utf8)
    text.reserveCapacity(2 + 2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Parameter: ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  /// A value whose type PostgreSQL infers.
  public init(stringLiteral value: String) {
    self.init(text: value)
  }

  /// A NULL whose type PostgreSQL infers.
  public init(nilLiteral: ()) {
    self.init(text: nil)
  }
}

extension Parameter: CustomStringConvertible, CustomReflectable {
  /// The type alone: values are people's.
  public var description: String { "Parameter(type: \(type))" }
  public var customMirror: Mirror { Mirror(self, children: ["type": type]) }
}
