import PostgreSQL

/// Whether a connection may go over the network as it is configured.
///
/// To a host that is neither a socket nor loopback `sslmode=verify-full` is the default, with
/// Debian's bundle where no `sslrootcert` is given; less than that needs `allowInsecureDatabase`.
enum DatabaseSecurity {
  static let certificateBundle = "/etc/ssl/certs/ca-certificates.crt"

  /// - Returns: the conninfo with what is missing; nil when it asks for less than it may.
  static func secured(_ conninfo: Conninfo, allowInsecure: Bool) -> Conninfo? {
    guard leavesTheMachine(conninfo) else { return conninfo }
    var secured = conninfo
    switch conninfo["sslmode"] {
    case nil where !allowInsecure: secured["sslmode"] = "verify-full"
    case "verify-full"?: break
    default: return allowInsecure ? conninfo : nil
    }
    if secured["sslrootcert"] == nil { secured["sslrootcert"] = certificateBundle }
    return secured
  }

  /// One host of several is enough. Without any, libpq takes its default socket.
  static func leavesTheMachine(_ conninfo: Conninfo) -> Bool {
    let hosts = conninfo["hostaddr"] ?? conninfo["host"] ?? ""
    return hosts.split(separator: ",").contains { host in
      !host.hasPrefix("/") && !host.hasPrefix("@") && host != "localhost" && host != "::1"
        && !host.hasPrefix("127.")
    }
  }
}
