/// One statement with the values of its parameters `$1`, `$2`, ….
public struct Statement: Sendable, Equatable {
  public let sql: String
  public let parameters: [Parameter]

  public init(_ sql: String, _ parameters: [Parameter] = []) {
    self.sql = sql
    self.parameters = parameters
  }
}

extension Statement: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
