/// Foreign text made fit for a log line, a database column and a terminal.
public enum PlainText {
  /// At most `limit` characters, control characters escaped, and nothing that looks like a token or
  /// a signed payload: a proxy's error page may repeat the request's headers.
  public static func excerpt(_ text: String, limit: Int) -> String {
    var result = ""
    var count = 0
    for scalar in redactingTokens(String(text.unicodeScalars.prefix(limit * 8))).unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// "eyJ" is how the base64 of a JSON object begins.
  private static func redactingTokens(_ text: String) -> String {
    guard text.contains("eyJ") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "eyJ")?.lowerBound {
      result += rest[..<start] + "[token]"
      rest = rest[start...].drop { character in
        character.isASCII
          && (character.isLetter || character.isNumber || "-_.=+/".contains(character))
      }
    }
    return result + rest
  }
}
