/// A text that shows itself to nobody who does not ask for it by name: not when it is printed, put
/// into another text, dumped or logged.
struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  let revealed: String

  init(_ text: String) {
    revealed = text
  }

  var description: String { "[secret]" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
