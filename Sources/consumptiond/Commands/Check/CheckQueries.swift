import Store

/// What PostgreSQL says of each query and rule.
enum CheckQueries {
  static func findings(_ inspection: QueryInspection) -> [Finding] {
    inspection.results.map { result in
      switch result {
      case .success(let described):
        .fine(
          described.path,
          described.columns.isEmpty ? "holds" : described.columns.joined(separator: ", "))
      case .failure(let fault):
        .wrong(fault.path, fault.message, cure(fault), place: fault.place)
      }
    }
  }

  private static func cure(_ fault: QueryFault) -> String? {
    guard fault.message.hasPrefix("SQLSTATE 42501") else { return nil }
    return "GRANT SELECT (USAGE on a schema, EXECUTE on a function) to the daemon's role"
  }
}
