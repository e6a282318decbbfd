import PostgreSQL

/// Whether a connection may go over the network as it is configured.
///
/// To a host that is neither a socket nor loopback `sslmode=verify-full` is the default, with
/// Debian's bundle where no `sslrootcert` is given; less than that needs `allowInsecureDatabase`.
enum DatabaseSecurity {
  static let certificateBundle = "/etc/ssl/certs/ca-certificates.crt"

  /// - Parameter environment: libpq takes from it what the conninfo leaves out.
  /// - Returns: the conninfo with what is missing; nil when it asks for less than it may.
  static func secured(
    _ conninfo: Conninfo, allowInsecure: Bool, environment: [String: String]
  ) -> Conninfo? {
    guard leavesTheMachine(conninfo, environment) else { return conninfo }
    var secured = conninfo
    switch conninfo["sslmode"] ?? environment["PGSSLMODE"] {
    case nil where !allowInsecure: secured["sslmode"] = "verify-full"
    case "verify-full"?: break
    default: return allowInsecure ? conninfo : nil
    }
    if secured["sslrootcert"] == nil, environment["PGSSLROOTCERT"] == nil {
      secured["sslrootcert"] = certificateBundle
    }
    return secured
  }

  /// One host of several is enough. Without any, libpq takes its default socket. What a service file
  /// says is not known here; on a socket libpq ignores `sslmode`.
  private static func leavesTheMachine(
    _ conninfo: Conninfo, _ environment: [String: String]
  ) -> Bool {
    if conninfo["service"] != nil || environment["PGSERVICE"] != nil { return true }
    let hosts =
      conninfo["hostaddr"] ?? conninfo["host"] ?? environment["PGHOSTADDR"]
      ?? environment["PGHOST"] ?? ""
    return hosts.split(separator: ",").contains { host in
      !host.hasPrefix("/") && !host.hasPrefix("@") && host != "localhost" && host != "::1"
        && !host.hasPrefix("127.")
    }
  }
}
