/// A call of the App Store Server API as a value: what goes out, without the token.
public struct APICall: Sendable, Equatable {
  public let method: String
  /// Begins with a slash; case matters.
  public let path: String
  /// JSON.
  public let body: String?

  /// Send Consumption Information, version 2.
  ///
  /// - Parameter transactionId: of the disputed charge, never the original one.
  public static func sendConsumption(transactionId: String, body: ConsumptionBody) -> APICall {
    APICall(
      method: "PUT", path: "/inApps/v2/transactions/consumption/" + segment(transactionId),
      body: body.json)
  }

  /// An id is Apple's text; as part of a path it must stay one segment.
  private static func segment(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        result.append(byte)
      default:
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
