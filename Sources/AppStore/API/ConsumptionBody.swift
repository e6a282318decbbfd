/// Why a body would be refused by Apple, said before it is sent.
public enum ConsumptionBodyError: Error, Sendable, Equatable {
  /// Milliunits from 0 to 100000.
  case percentageOutOfRange(Int)
  /// Of something that was not delivered nothing can be used.
  case undeliveredButUsed(Int)
  /// GRANT_PRORATED of a one-time purchase needs a percentage between 0 and 100 %, exclusive.
  case proratedWithoutShare(Int?)
}

/// The body of Send Consumption Information, version 2 (`ConsumptionRequest`).
///
/// A value exists only when Apple's documented constraints hold, and there is none that says
/// `consumptionPercentage` for an auto-renewable subscription: Apple computes that one from the
/// time and answers 4000209. `customerConsented` is always true, because without consent there is
/// no request at all.
public struct ConsumptionBody: Sendable, Equatable {
  private enum Use: Equatable {
    case autoRenewable
    case oneTime(percentage: Int?)
  }

  public let deliveryStatus: DeliveryStatus
  public let sampleContentProvided: Bool
  public let refundPreference: RefundPreference?
  private let use: Use

  /// Milliunits: 37500 is 37.5 %.
  public var consumptionPercentage: Int? {
    switch use {
    case .autoRenewable: nil
    case .oneTime(let percentage): percentage
    }
  }

  public static func autoRenewable(
    deliveryStatus: DeliveryStatus, sampleContentProvided: Bool,
    refundPreference: RefundPreference? = nil
  ) -> ConsumptionBody {
    ConsumptionBody(
      deliveryStatus: deliveryStatus, sampleContentProvided: sampleContentProvided,
      refundPreference: refundPreference, use: .autoRenewable)
  }

  /// For consumables, non-consumables and non-renewing subscriptions.
  ///
  /// - Parameter consumptionPercentage: of the whole transaction, all units of it, in milliunits.
  public static func oneTime(
    deliveryStatus: DeliveryStatus, sampleContentProvided: Bool, consumptionPercentage: Int? = nil,
    refundPreference: RefundPreference? = nil
  ) throws(ConsumptionBodyError) -> ConsumptionBody {
    if let percentage = consumptionPercentage {
      guard (0...100_000).contains(percentage) else { throw .percentageOutOfRange(percentage) }
      if deliveryStatus != .delivered, percentage != 0 { throw .undeliveredButUsed(percentage) }
    }
    if refundPreference == .grantProrated {
      guard let percentage = consumptionPercentage, percentage > 0, percentage < 100_000 else {
        throw .proratedWithoutShare(consumptionPercentage)
      }
    }
    return ConsumptionBody(
      deliveryStatus: deliveryStatus, sampleContentProvided: sampleContentProvided,
      refundPreference: refundPreference, use: .oneTime(percentage: consumptionPercentage))
  }

  /// The three required keys alone: what is sent after Apple refused an optional one.
  public var withoutOptionals: ConsumptionBody {
    ConsumptionBody(
      deliveryStatus: deliveryStatus, sampleContentProvided: sampleContentProvided,
      refundPreference: nil, use: .autoRenewable)
  }

  public var hasOptionals: Bool { refundPreference != nil || consumptionPercentage != nil }

  /// The bytes of the request: keys in alphabetical order, no white space, `false` and 0 written
  /// out. The same value gives the same bytes for ever, so a repeat is a repeat.
  public var json: String {
    var members: [String] = []
    if let percentage = consumptionPercentage {
      members.append("\"consumptionPercentage\":\(percentage)")
    }
    members.append("\"customerConsented\":true")
    members.append("\"deliveryStatus\":\"\(deliveryStatus.rawValue)\"")
    if let preference = refundPreference {
      members.append("\"refundPreference\":\"\(preference.rawValue)\"")
    }
    members.append("\"sampleContentProvided\":\(sampleContentProvided)")
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Reads what ``json`` wrote, in any order and spacing: a database's `jsonb` keeps neither.
  ///
  /// - Returns: nil for anything that ``json`` could not have written.
  public init?(json text: String) {
    let keys = [
      "consumptionPercentage", "customerConsented", "deliveryStatus", "refundPreference",
      "sampleContentProvided",
    ]
    guard
      let json = JSONObject(text),
      json.names.allSatisfy({ keys.contains($0) && json.isPresent($0) }),
      json.bool("customerConsented") == true,
      let delivery = json.string("deliveryStatus").flatMap(DeliveryStatus.init(rawValue:)),
      let sample = json.bool("sampleContentProvided")
    else { return nil }
    var preference: RefundPreference?
    if json.isPresent("refundPreference") {
      let word = json.string("refundPreference")
      guard let known = word.flatMap(RefundPreference.init(rawValue:)) else { return nil }
      preference = known
    }
    guard json.isPresent("consumptionPercentage") else {
      self = .autoRenewable(
        deliveryStatus: delivery, sampleContentProvided: sample, refundPreference: preference)
      return
    }
    guard
      let percentage = json.int("consumptionPercentage"),
      let body = try? Self.oneTime(
        deliveryStatus: delivery, sampleContentProvided: sample, consumptionPercentage: percentage,
        refundPreference: preference)
    else { return nil }
    self = body
  }

  private init(
    deliveryStatus: DeliveryStatus, sampleContentProvided: Bool,
    refundPreference: RefundPreference?, use: Use
  ) {
    self.deliveryStatus = deliveryStatus
    self.sampleContentProvided = sampleContentProvided
    self.refundPreference = refundPreference
    self.use = use
  }
}
