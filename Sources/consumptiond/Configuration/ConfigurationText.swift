/// A string of the configuration, and how an error may show it: a value from elsewhere may be a
/// secret.
struct ConfigurationText {
  let value: String
  let shown: String
}
