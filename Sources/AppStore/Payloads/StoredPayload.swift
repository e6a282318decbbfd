extension Transaction {
  /// Reads a transaction's JSON back from where it was stored after its signature was verified.
  public init(json: String) throws(SignedPayloadError) {
    try self.init(Claims(stored: json, as: .transaction))
  }
}

extension RenewalInfo {
  /// Reads a renewal info's JSON back from where it was stored after its signature was verified.
  public init(json: String) throws(SignedPayloadError) {
    try self.init(Claims(stored: json, as: .renewal))
  }
}

extension Claims {
  fileprivate init(stored json: String, as object: SignedObject) throws(SignedPayloadError) {
    guard let json = JSONObject(json) else {
      throw SignedPayloadError(.malformed, object, "stored: expected a JSON object")
    }
    self.init(object: object, json: json)
  }
}
