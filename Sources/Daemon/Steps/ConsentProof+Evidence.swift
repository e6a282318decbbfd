internal import AppStore
internal import Decision
internal import FoundationEssentials
internal import Store

extension ConsentProof {
  private struct Fields: Decodable {
    let at: String?
    let source: String?
    let version: String?
  }

  /// What the consent query told beside its yes, for the explanation.
  var evidence: ConsentEvidence {
    // PostgreSQL wrote it; a column of another type than text is left out, not guessed.
    let fields = try? JSONDecoder().decode(Fields.self, from: Data(json.utf8))
    return ConsentEvidence(
      givenAt: fields?.at.flatMap(Instant.init(iso8601:)), source: fields?.source,
      version: fields?.version)
  }
}
