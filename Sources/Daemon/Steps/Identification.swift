internal import AppStore
internal import PostgreSQL
internal import Store

/// Who the customer is and whether he consents: what must be a yes before anything else happens.
struct Identification: Sendable {
  /// What stands in the way of an answer.
  struct Obstacle: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
      /// It stays so: nobody will be asked again.
      case final
      /// It may change until the deadline.
      case lasting
      /// It could not be found out; not a yes, and not a no.
      case unavailable
    }

    /// The answer was decided for another customer than the one that is found now.
    static let otherCustomer = Obstacle(kind: .lasting, reason: "customer_ambiguous")

    let kind: Kind
    let reason: String
    var trouble: Trouble? = nil
  }

  enum Finding: Sendable, Equatable {
    case consenting(customer: String, ConsentProof)
    case stopped(Obstacle, customer: String?, ConsentProof?)
  }

  let queries: Queries
  let batch: ReadOnlyBatch

  /// One finding for each purchase, in their order.
  ///
  /// - Throws: when nothing could be asked at all.
  func find(
    _ purchases: [PurchaseValues], on connection: inout Connection
  ) throws(PostgresError) -> [Finding] {
    let customers = try queries.customer.find(purchases, batch: batch, on: &connection)
    var findings = customers.map(Self.finding)
    let known = customers.indices.filter { if case .found = customers[$0] { true } else { false } }
    let asked = known.map { index in purchases[index].with(customer: Self.name(customers[index])) }
    let consents = try queries.consent.read(asked, batch: batch, on: &connection)
    for (index, consent) in zip(known, consents) {
      findings[index] = Self.finding(consent, customer: Self.name(customers[index]))
    }
    return findings
  }

  private static func name(_ finding: CustomerFinding) -> String {
    if case .found(let customer) = finding { customer } else { "" }
  }

  /// A customer who was found is decided by his consent, which is read next.
  static func finding(_ customer: CustomerFinding) -> Finding {
    let obstacle =
      switch customer {
      case .found: Obstacle(kind: .unavailable, reason: "consent_unavailable")
      case .gone: Obstacle(kind: .final, reason: "customer_gone")
      case .unknown: Obstacle(kind: .lasting, reason: "customer_unknown")
      case .ambiguous: Obstacle(kind: .lasting, reason: "customer_ambiguous")
      case .unavailable(let trouble):
        Obstacle(kind: .unavailable, reason: "customer_unavailable", trouble: trouble)
      }
    return .stopped(obstacle, customer: nil, nil)
  }

  static func finding(_ consent: ConsentFinding, customer: String) -> Finding {
    switch consent {
    case .granted(let proof): return .consenting(customer: customer, proof)
    case .notGranted(let proof):
      return .stopped(
        Obstacle(kind: .lasting, reason: "no_consent"), customer: customer, proof)
    case .ambiguous:
      return .stopped(
        Obstacle(kind: .lasting, reason: "consent_ambiguous"), customer: customer, nil)
    case .unavailable(let trouble):
      return .stopped(
        Obstacle(kind: .unavailable, reason: "consent_unavailable", trouble: trouble),
        customer: customer, nil)
    }
  }
}

extension Identification.Obstacle {
  /// Where a worker leaves a request that this stands in the way of.
  ///
  /// - Parameters:
  ///   - late: at the deadline ambiguous becomes what is unknown, and unavailable `missed`.
  ///   - delay: until the next look.
  func ending(late: Bool, delay: Duration) -> Ending {
    switch (kind, late) {
    case (.final, _): .withheld(reason: reason)
    case (.lasting, false): .held(reason: reason, delay: delay)
    case (.lasting, true): .withheld(reason: Self.unambiguous(reason))
    case (.unavailable, false): .waiting(reason: reason, delay: delay)
    case (.unavailable, true): .missed(reason: reason)
    }
  }

  private static func unambiguous(_ reason: String) -> String {
    switch reason {
    case "customer_ambiguous": "customer_unknown"
    case "consent_ambiguous": "no_consent"
    default: reason
    }
  }
}
