extension Instant {
  /// ISO 8601 in UTC with as many digits as are needed: `2026-11-30T20:04:41.123456Z`.
  public var iso8601: String {
    let day = Self.floorDivide(microseconds, by: 86_400_000_000)
    let inDay = microseconds - day * 86_400_000_000
    let (year, month, dayOfMonth) = Self.civil(fromDay: day)
    let second = inDay / 1_000_000
    let time = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }
    var text =
      "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(dayOfMonth, to: 2))"
    text += "T" + time.joined(separator: ":")
    let fraction = inDay % 1_000_000
    if fraction != 0 {
      var digits = Self.padded(fraction, to: 6)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  /// Reads a date with a time and a zone: ISO 8601 with `T` or a space, `Z`, `+00` or `+02:00`, and
  /// up to six digits of a second. That is also what PostgreSQL prints for a `timestamptz` under
  /// `DateStyle` ISO. A date without a zone is nobody's instant: nil.
  public init?(iso8601 text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    guard
      let year = reader.number(4), reader.skip("-"),
      let month = reader.number(2), (1...12).contains(month), reader.skip("-"),
      let day = reader.number(2), (1...31).contains(day), reader.skip("T") || reader.skip(" "),
      let hour = reader.number(2), hour <= 24, reader.skip(":"),
      let minute = reader.number(2), minute <= 59, reader.skip(":"),
      let second = reader.number(2), second <= 60
    else { return nil }
    let fraction = reader.skip(".") ? reader.fraction() : 0
    guard let fraction, let offset = reader.offset(), reader.isAtEnd else { return nil }
    let days = Self.day(year: year, month: month, day: day)
    guard Self.civil(fromDay: days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar, by years that begin in March so
  /// that the leap day comes last.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDay day: Int64) -> (Int64, Int64, Int64) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ value: Int64, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func digit() -> Int64? {
      guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
      defer { position += 1 }
      return Int64(bytes[position] - 0x30)
    }

    mutating func number(_ digits: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// Microseconds; a seventh digit and what follows are dropped.
    mutating func fraction() -> Int64? {
      var value: Int64 = 0
      var count = 0
      while let digit = digit() {
        if count < 6 { value = value * 10 + digit }
        count += 1
      }
      guard count > 0 else { return nil }
      for _ in 0..<max(0, 6 - count) { value *= 10 }
      return value
    }

    /// Seconds east of Greenwich.
    mutating func offset() -> Int64? {
      if skip("Z") { return 0 }
      let sign: Int64
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(2), hours <= 15 else { return nil }
      _ = skip(":")
      let minutes = isAtEnd ? 0 : number(2)
      guard let minutes, minutes <= 59 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
