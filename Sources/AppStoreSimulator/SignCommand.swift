import AppStore
import Glibc
import Simulation

/// Prints signed notifications, made on the chain of a folder.
struct SignCommand {
  static let options = [
    "folder": true, "type": true, "subtype": true, "transaction-id": true,
    "original-transaction-id": true, "app-transaction-id": true, "token": true, "purchased": true,
    "expires": true, "price": true, "currency": true, "product": true, "quantity": true,
    "reason": true, "ownership": true, "environment": true, "signed-at": true,
    "type-of-product": true, "bundle-id": true, "app-apple-id": true, "uuid": true,
    "percentage": true, "set": true, "forge": true, "count": true,
  ]

  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() throws {
    let folder = try SimulatorFolder(options.required("folder"))
    var signer = NotificationSigner(chain: try folder.chain()) { transaction in
      do throws(SimulationError) {
        try folder.record(transaction)
      } catch {
        complain(error.message)
        exit(70)
      }
    }
    if let bundleId = options["bundle-id"] { signer.bundleId = bundleId }
    if let id = try options.value("app-apple-id", "a number", { Int64($0) }) {
      signer.appAppleId = id
    }
    if let environment = try options.value(
      "environment", "Production or Sandbox", { AppStore.Environment(rawValue: $0) })
    {
      signer.environment = environment
    }
    let count = try options.value(
      "count", "a number from 1", { Int64($0).flatMap { $0 > 0 ? $0 : nil } })
    for offset in 0..<(count ?? 1) { print(try sign(signer, offset)) }
  }

  /// - Parameter offset: how far behind the named transaction's id.
  private func sign(_ signer: NotificationSigner, _ offset: Int64) throws -> String {
    let signedAt = try instant("signed-at") ?? .now()
    let type = options["type"] ?? "CONSUMPTION_REQUEST"
    let uuid = options["uuid"]
    switch type {
    case "TEST":
      return try signer.test(signedAt: signedAt, uuid: uuid)
    case "RENEWAL_EXTENSION" where options["subtype"] == "SUMMARY":
      return try signer.summary(signedAt: signedAt, uuid: uuid)
    case "RESCIND_CONSENT":
      return try signer.rescindConsent(
        appTransactionId: options.required("app-transaction-id"), signedAt: signedAt, uuid: uuid)
    case "REFUND":
      return try signer.refund(
        transaction: transaction(offset), percentage: number("percentage"), signedAt: signedAt,
        uuid: uuid)
    case "CONSUMPTION_REQUEST":
      if let forgery = try options.value(
        "forge", "one of \(Forgery.allCases.map(\.rawValue).joined(separator: ", "))",
        { Forgery(rawValue: $0) })
      {
        return try signer.forged(forgery, transaction: transaction(offset), signedAt: signedAt)
      }
      return try signer.consumptionRequest(
        transaction: transaction(offset), reason: options["reason"] ?? "UNINTENDED_PURCHASE",
        signedAt: signedAt, uuid: uuid)
    default:
      return try signer.notification(
        type, subtype: options["subtype"], transaction: transaction(offset), signedAt: signedAt,
        uuid: uuid)
    }
  }

  private func transaction(_ offset: Int64) throws(UsageError) -> TransactionDraft {
    let id = try transactionId(offset)
    guard let purchased = try instant("purchased") else {
      throw UsageError(message: "--purchased is missing")
    }
    let price = try number("price") ?? 9990
    let currency = options["currency"] ?? "USD"
    var draft: TransactionDraft
    if let type = options["type-of-product"], type != ProductType.autoRenewable.rawValue {
      draft = .oneTime(
        id: id, token: options["token"], product: options["product"] ?? "coins.100",
        purchased: purchased, price: price, currency: currency
      ).with("type", .string(type))
    } else {
      guard let expires = try instant("expires") else {
        throw UsageError(message: "--expires is missing; only a subscription ends")
      }
      draft = .subscription(
        id: id, originalId: options["original-transaction-id"], token: options["token"],
        product: options["product"] ?? "pro.monthly", purchased: purchased, expires: expires,
        price: price, currency: currency)
    }
    if let quantity = try number("quantity") { draft["quantity"] = JSONValue(quantity) }
    for (option, key) in [
      ("ownership", "inAppOwnershipType"), ("app-transaction-id", "appTransactionId"),
      ("original-transaction-id", "originalTransactionId"),
    ] {
      if let value = options[option] { draft[key] = .string(value) }
    }
    for change in options.all("set") { try set(change, in: &draft) }
    return draft
  }

  private func transactionId(_ offset: Int64) throws(UsageError) -> String {
    let first = try options.required("transaction-id")
    if offset == 0 { return first }
    guard let number = Int64(first), case (let id, false) = number.addingReportingOverflow(offset)
    else {
      throw UsageError(message: "--count: counts on from a --transaction-id that is a number")
    }
    return String(id)
  }

  /// `KEY=JSON`; an empty value removes the field.
  private func set(_ change: String, in draft: inout TransactionDraft) throws(UsageError) {
    let halves = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty else {
      throw UsageError(message: "--set \(change): expected KEY=JSON")
    }
    let key = String(halves[0])
    if halves[1].isEmpty {
      draft[key] = nil
    } else if let value = JSONValue(text: String(halves[1])) {
      draft[key] = value
    } else {
      throw UsageError(message: "--set \(change): not JSON behind the =")
    }
  }

  private func instant(_ name: String) throws(UsageError) -> Instant? {
    try options.value(name, "a time like 2026-11-01T00:00:00Z") { Instant(iso8601: $0) }
  }

  private func number(_ name: String) throws(UsageError) -> Int64? {
    try options.value(name, "a whole number") { Int64($0) }
  }
}
