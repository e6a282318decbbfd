internal import CPostgreSQL

/// The result of one statement.
@safe public final class Rows: Sendable {
  let handle: Handle<OpaquePointer>
  public let columns: [Column]
  private let indexes: [String: Int]

  /// Takes the result over and clears it in the end.
  init(_ result: OpaquePointer) {
    unsafe handle = unsafe Handle(result)
    columns = unsafe (0..<PQnfields(result)).map { index in
      let name = unsafe PQfname(result, index).map { unsafe String(cString: $0) }
      return unsafe Column(name: name ?? "", type: PQftype(result, index))
    }
    // Of two columns with one name the first counts, as in libpq.
    indexes = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  deinit {
    unsafe PQclear(handle.pointer)
  }

  /// How many rows an INSERT, UPDATE, DELETE or SELECT touched; 0 for other commands.
  public var affectedRows: Int {
    unsafe PQcmdTuples(handle.pointer).flatMap { unsafe Int(String(cString: $0)) } ?? 0
  }

  /// The server's word for what was done, for example `INSERT 0 1`.
  public var commandTag: String {
    unsafe PQcmdStatus(handle.pointer).map { unsafe String(cString: $0) } ?? ""
  }

  func index(of column: String) -> Int? {
    indexes[column]
  }

  /// The value's text; nil is NULL. Both indexes must be in range.
  func text(row: Int, column: Int) -> String? {
    let (row, column) = (Int32(row), Int32(column))
    guard unsafe PQgetisnull(handle.pointer, row, column) == 0,
      let value = unsafe PQgetvalue(handle.pointer, row, column)
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: value, count: Int(PQgetlength(handle.pointer, row, column)))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

extension Rows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { unsafe Int(PQntuples(handle.pointer)) }

  public subscript(index: Int) -> Row {
    precondition(indices.contains(index), "a row that the result does not have")
    return Row(rows: self, index: index)
  }
}
