internal import CPostgreSQL

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Settings of a connection, as libpq understands them (a keyword string or a URI).
///
/// libpq's own messages about a bad string repeat it, passwords included; none of them leaves here.
public struct Conninfo: Sendable, Equatable {
  private(set) var settings: [String: String]

  /// Parses a keyword string or a URI; the empty string means libpq's defaults.
  ///
  /// - Throws: `.conninfo`, without a word of the text.
  public init(_ text: String) throws(PostgresError) {
    guard !text.utf8.contains(0) else { throw Self.unreadable }
    var complaint: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &complaint)
    defer {
      unsafe PQfreemem(complaint)
      unsafe PQconninfoFree(options)
    }
    guard let first = unsafe options else { throw Self.unreadable }
    settings = [:]
    var option = unsafe first
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe settings[String(cString: keyword)] = String(cString: value)
      }
      unsafe option += 1
    }
  }

  /// The value of a keyword (`host`, `application_name`, …), nil when it is not set.
  public subscript(keyword: String) -> String? {
    get { settings[keyword] }
    set { settings[keyword] = newValue }
  }

  /// These settings and, where they say nothing, those under which a lost server is noticed within
  /// seconds: `connect_timeout`, `tcp_user_timeout` and keepalives.
  ///
  /// - Parameter readWrite: Also ask for a server that takes writes, so that of several hosts the
  ///   primary is found after a failover.
  public func withDefaults(readWrite: Bool = false) -> Conninfo {
    var result = self
    result.setDefault("connect_timeout", "3", variable: "PGCONNECT_TIMEOUT")
    result.setDefault("tcp_user_timeout", "5000")
    result.setDefault("keepalives_idle", "10")
    result.setDefault("keepalives_interval", "3")
    result.setDefault("keepalives_count", "3")
    if readWrite {
      result.setDefault("target_session_attrs", "read-write", variable: "PGTARGETSESSIONATTRS")
    }
    return result
  }

  /// - Parameter variable: The environment variable that libpq reads when the keyword is not set.
  private mutating func setDefault(_ keyword: String, _ value: String, variable: String? = nil) {
    guard settings[keyword] == nil else { return }
    if let variable, unsafe getenv(variable) != nil { return }
    settings[keyword] = value
  }

  private static let unreadable = PostgresError(
    kind: .conninfo, message: "the connection settings are neither keywords nor a URI")
}

extension Conninfo: CustomStringConvertible, CustomReflectable {
  /// Where the connection goes and as whom, for a log.
  public var description: String {
    let shown = ["host", "hostaddr", "port", "dbname", "user"].compactMap { keyword in
      settings[keyword].map { "\(keyword)=\(Self.mayHideSecret(keyword, $0) ? "…" : $0)" }
    }
    return shown.isEmpty ? "libpq's defaults" : shown.joined(separator: " ")
  }

  public var customMirror: Mirror { Mirror(self, children: ["settings": description]) }

  /// A message of libpq's about a failed connection, on one line and without the values that may be
  /// secrets: libpq quotes what it cannot use.
  func redacted(_ message: String) -> String {
    var text = message.split(separator: "\n").map { $0.trimming(while: \.isWhitespace) }
      .joined(separator: "; ")
    let secrets = settings.filter { keyword, value in
      !value.isEmpty && Self.mayHideSecret(keyword, value)
    }
    for secret in secrets.values.sorted(by: { $0.count > $1.count }) {
      text = text.split(separator: secret, omittingEmptySubsequences: false)
        .joined(separator: "…")
    }
    return text
  }

  /// A forgotten space, or an unescaped `@` or `/` in a URI, puts a part of the password where
  /// another value should be.
  private static func mayHideSecret(_ keyword: String, _ value: String) -> Bool {
    switch keyword {
    case "password", "sslpassword": true
    case "port": !value.allSatisfy { $0.isNumber || $0 == "," }
    default: value.contains { $0 == "=" || $0 == "@" || $0.isWhitespace }
    }
  }
}

extension Substring {
  func trimming(while isUnwanted: (Character) -> Bool) -> Substring {
    var rest = drop(while: isUnwanted)
    while let last = rest.last, isUnwanted(last) { rest.removeLast() }
    return rest
  }
}
