/// What somebody may have meant.
enum Suggestion {
  /// The known word that takes the fewest keystrokes to reach; nil when none is near.
  static func nearest(to word: String, in known: [String]) -> String? {
    let typed = word.lowercased()
    let limit = typed.count <= 4 ? 1 : 2
    let scored = known.map { ($0, distance(Array(typed), Array($0))) }.filter { $0.1 <= limit }
    if let best = scored.min(by: { $0.1 < $1.1 }) { return best.0 }
    let beginning = known.filter { typed.count >= 2 && $0.hasPrefix(typed) }
    return beginning.count == 1 ? beginning[0] : nil
  }

  /// ` "word"`, or nothing when the word may be more than a slip of the fingers.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }
    return isPlain && word.utf8.count <= 30 ? " \(word)" : ""
  }

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        let replaced = rows[i][j] + (left[i] == right[j] ? 0 : 1)
        var best = min(rows[i][j + 1] + 1, row[j] + 1, replaced)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
