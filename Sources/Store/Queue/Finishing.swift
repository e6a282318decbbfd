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

  /// - Parameter unsent: an attempt that was written down and never went out.
  public static func statement(
    _ claim: Requests.Claim, _ ending: Ending, error: String? = nil, alone: Bool = false,
    unsent: Int64? = nil
  ) -> Statement {
    Statement(
      SQL.requestFinish,
      [
        .int(claim.id), .typed(claim.token, TypeID.uuid), .text(ending.state),
        .text(ending.reason), .interval(ending.delay), .text(error), .int(unsent), .bool(alone),
      ])
  }

  /// What is known of the customer and the consent, for people who ask why nothing is sent.
  ///
  /// - Parameter token: the lease that it was found out under; nil for a held request.
  public static func note(
    _ id: Int64, customer: String?, consent: ConsentProof?, token: String? = nil
  ) -> Statement {
    Statement(
      SQL.requestCustomer,
      [
        .int(id), .text(customer), .typed(consent?.json, TypeID.jsonb),
        .typed(token, TypeID.uuid),
      ])
  }
}
