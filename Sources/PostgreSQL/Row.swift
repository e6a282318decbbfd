/// One row of a result. Values are asked for by the column's name or by its position from zero.
///
/// Every accessor throws `.decoding` when there is no such column or its text is no such value; the
/// message names the column and never the value. Those without `optional` refuse NULL too.
public struct Row: Sendable {
  let rows: Rows
  let index: Int

  public func string(_ column: some ColumnReference) throws(PostgresError) -> String {
    try required(optionalString(column), column)
  }

  public func int(_ column: some ColumnReference) throws(PostgresError) -> Int {
    try required(optionalInt(column), column)
  }

  public func int64(_ column: some ColumnReference) throws(PostgresError) -> Int64 {
    try required(optionalInt64(column), column)
  }

  public func bool(_ column: some ColumnReference) throws(PostgresError) -> Bool {
    try required(optionalBool(column), column)
  }

  /// The elements of a one-dimensional array; a nil element is NULL.
  public func array(_ column: some ColumnReference) throws(PostgresError) -> [String?] {
    try required(optionalArray(column), column)
  }

  public func optionalString(_ column: some ColumnReference) throws(PostgresError) -> String? {
    guard let position = column.position(in: rows) else {
      throw PostgresError(kind: .decoding, message: "there is no column \(column)")
    }
    return rows.text(row: index, column: position)
  }

  public func optionalInt(_ column: some ColumnReference) throws(PostgresError) -> Int? {
    try converted(column, to: "an integer") { Int($0) }
  }

  public func optionalInt64(_ column: some ColumnReference) throws(PostgresError) -> Int64? {
    try converted(column, to: "an integer") { Int64($0) }
  }

  public func optionalBool(_ column: some ColumnReference) throws(PostgresError) -> Bool? {
    try converted(column, to: "a boolean") { $0 == "t" ? true : $0 == "f" ? false : nil }
  }

  public func optionalArray(_ column: some ColumnReference) throws(PostgresError) -> [String?]? {
    try converted(column, to: "a one-dimensional array") { ArrayLiteral.read($0) }
  }

  private func converted<Value>(
    _ column: some ColumnReference, to what: String, _ convert: (String) -> Value?
  ) throws(PostgresError) -> Value? {
    guard let text = try optionalString(column) else { return nil }
    guard let value = convert(text) else {
      throw PostgresError(kind: .decoding, message: "column \(column) is not \(what)")
    }
    return value
  }

  private func required<Value>(
    _ value: Value?, _ column: some ColumnReference
  ) throws(PostgresError) -> Value {
    guard let value else {
      throw PostgresError(kind: .decoding, message: "column \(column) is NULL")
    }
    return value
  }
}

/// What names a column: its name or its position from zero.
public protocol ColumnReference {
  func position(in rows: Rows) -> Int?
}

extension String: ColumnReference {
  public func position(in rows: Rows) -> Int? { rows.index(of: self) }
}

extension Int: ColumnReference {
  public func position(in rows: Rows) -> Int? { rows.columns.indices.contains(self) ? self : nil }
}
