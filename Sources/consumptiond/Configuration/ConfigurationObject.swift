/// An object whose keys are all known.
struct ConfigurationObject {
  let node: ConfigurationNode
  let members: [String: JSONValue]

  func member(_ key: String, _ value: JSONValue) -> ConfigurationNode {
    ConfigurationNode(
      value: value, path: node.path.isEmpty ? key : "\(node.path).\(key)", place: node.place)
  }

  func optional(_ key: String) -> ConfigurationNode? {
    members[key].map { member(key, $0) }
  }

  func required(_ key: String, _ expected: String) throws(ConfigurationError) -> ConfigurationNode {
    guard let node = optional(key) else {
      throw member(key, .null).error(found: "nothing", expected: expected)
    }
    return node
  }
}
