/// The URL of a stand-in for Apple's hosts: a scheme, a host, perhaps a port, and nothing else.
struct EndpointURL: Equatable {
  /// Without a slash at the end.
  let text: String
  let isEncrypted: Bool
  let host: String

  /// Nothing that is sent to this host leaves the machine.
  var isLoopback: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost" || host == "[::1]"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  init?(_ text: String) {
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
    let hostEnd =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map(authority.index(after:))
      : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let hostEnd else { return nil }
    let host = authority[..<hostEnd]
    let port = authority[hostEnd...]
    let characters = host.hasPrefix("[") ? "[]:." : "-."
    guard !host.isEmpty,
      host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || characters.contains($0)) }),
      port.isEmpty || port.hasPrefix(":") && (UInt16(port.dropFirst()) ?? 0) > 0
    else { return nil }
    self.text = scheme + authority
    isEncrypted = scheme == "https://"
    self.host = String(host)
  }
}
