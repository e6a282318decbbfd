/// What `preview` is about.
enum PreviewSubject: Equatable {
  /// A request id, a transaction id or a notification's UUID.
  case request(String)
  case payload(InputSource)

  /// Digits and UUIDs name a request; a file of such a name is `./NAME`.
  init(_ operand: String) {
    let isUUID =
      operand.count == 36 && operand.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "-") }
    self =
      isUUID || operand.allSatisfy { ("0"..."9").contains($0) }
      ? .request(operand) : .payload(InputSource(operand))
  }
}
