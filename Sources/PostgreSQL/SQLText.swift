/// Quoting for the few places where a name cannot be a parameter.
public enum SQLText {
  /// A name as an identifier.
  public static func identifier(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// A text as a constant, whatever `standard_conforming_strings` says.
  public static func literal(_ text: String) -> String {
    var quoted = text.contains("\\") ? " E'" : "'"
    for character in text {
      if character == "'" || character == "\\" { quoted.append(character) }
      quoted.append(character)
    }
    return quoted + "'"
  }
}
