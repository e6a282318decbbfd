public import PostgreSQL
internal import Schema

/// The end of a worker's turn with a request that it did not send.
public enum Finishing {
  /// Under the lease alone: a worker that was frozen past its lease changes nothing when it wakes.
  public static func statement(
    _ work: Work, _ ending: Ending, error: String? = nil, alone: Bool = false
  ) -> Statement {
    statement(Requests.Claim(id: work.id, token: work.token), ending, error: error, alone: alone)
  }

  public static func statement(
    _ claim: Requests.Claim, _ ending: Ending, error: String? = nil, alone: Bool = false
  ) -> Statement {
    Statement(
      SQL.requestFinish,
      [
        .int(claim.id), .typed(claim.token, TypeID.uuid), .text(ending.state),
        .text(ending.reason), .interval(ending.delay), .text(error),
        .bool(alone),
      ])
  }

  /// What is known of the customer and the consent, for people who ask why nothing is sent.
  public static func note(
    _ id: Int64, customer: String?, consent: ConsentProof?
  ) -> Statement {
    Statement(
      SQL.requestCustomer,
      [.int(id), .text(customer), .typed(consent?.json, TypeID.jsonb)])
  }
}
