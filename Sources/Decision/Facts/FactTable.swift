/// All facts of one configuration: the columns that a rule sees.
public struct FactTable: Sendable, Equatable {
  public let definitions: [FactDefinition]

  /// The built-in facts and two for each source: its quantity and its cost.
  public init(sources: [String] = []) {
    definitions =
      FactDefinition.builtIn
      + sources.flatMap { source in
        [
          FactDefinition(
            .quantity(of: source), .numeric, "quantity of \(source) in the period",
            unknown: "the source cannot tell"),
          FactDefinition(
            .cost(of: source), .numeric, "cost of \(source) in the period, in the usage currency",
            unknown: "the source cannot tell"),
        ]
      }
  }

  public func type(of name: FactName) -> FactType? {
    definitions.first { $0.name == name }?.type
  }
}
