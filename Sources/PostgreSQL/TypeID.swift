/// Oids of PostgreSQL's built-in types; they never change (`pg_type.dat`).
public enum TypeID {
  public static let bool: UInt32 = 16
  public static let bytea: UInt32 = 17
  public static let int8: UInt32 = 20
  public static let int4: UInt32 = 23
  public static let text: UInt32 = 25
  public static let date: UInt32 = 1082
  public static let timestamptz: UInt32 = 1184
  public static let interval: UInt32 = 1186
  public static let numeric: UInt32 = 1700
  public static let uuid: UInt32 = 2950
  public static let jsonb: UInt32 = 3802

  public static let boolArray: UInt32 = 1000
  public static let textArray: UInt32 = 1009
  public static let int8Array: UInt32 = 1016
  public static let timestamptzArray: UInt32 = 1185
  public static let intervalArray: UInt32 = 1187
  public static let numericArray: UInt32 = 1231
  public static let uuidArray: UInt32 = 2951
  public static let jsonbArray: UInt32 = 3807
}
